// Executes the commands of clients: calls session, pace, player, clients, saver and identifier.
#ifndef LC_VIEWER_OBEY_H
#define LC_VIEWER_OBEY_H

#include "clients.h"
#include "identifier.h"
#include "saver.h"

// Executes a command and answers it. Ignores the command of a client that has left. Takes out of
// the command the memory that it passes to the session.
void lc_obey(lc_session *session, lc_pace *pace, lc_player *player, lc_travel *travel,
             lc_clients *clients, lc_saver *saver, lc_identifier *identifier, lc_client client,
             lc_view_command *command);

#endif
