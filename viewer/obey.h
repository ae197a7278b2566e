// What clients ask for, as calls on session, pace, player, clients, saver and identifier.
#ifndef LC_VIEWER_OBEY_H
#define LC_VIEWER_OBEY_H

#include "clients.h"
#include "identifier.h"
#include "saver.h"

// Does what a client asks for, and answers; a client that has left asks for nothing any more. Takes
// out of the command what goes over to the session.
void lc_obey(lc_session *session, lc_pace *pace, lc_player *player, lc_travel *travel,
             lc_clients *clients, lc_saver *saver, lc_identifier *identifier, lc_client client,
             lc_view_command *command);

#endif
