// lightcone: a Game of Life engine. Everything public.
#ifndef LIGHTCONE_H
#define LIGHTCONE_H

#include "lightcone/cells.h"
#include "lightcone/count.h"
#include "lightcone/device.h"
#include "lightcone/engine.h"
#include "lightcone/machine.h"
#include "lightcone/pattern.h"
#include "lightcone/rule.h"
#include "lightcone/status.h"
#include "lightcone/universe.h"

#endif
