// What the environment wants of a stand-in.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emulator/stand_in.h"

int stand_in_number(const char *variable, int otherwise)
{
    const char *text = getenv(variable);
    return text != NULL ? atoi(text) : otherwise;
}

int stand_in_number_of(CUdevice device, const char *variable, int otherwise)
{
    const char *text = getenv(variable), *next;
    for (int i = device - STAND_IN_FIRST_GPU; i > 0 && text != NULL; i--)
        if ((next = strchr(text, ',')) != NULL)
            text = next + 1;
    return text != NULL ? atoi(text) : otherwise;
}

unsigned int stand_in_planned(const char *call)
{
    static pthread_mutex_t counting = PTHREAD_MUTEX_INITIALIZER;
    static char counted[64];
    static int times;
    const char *plan = getenv("FAKE_FAIL");
    if (plan == NULL)
        return 0;
    size_t length = strcspn(plan, "=");
    if ((length != strlen(call) || strncmp(plan, call, length) != 0) &&
        strncmp(plan, "any=", 4) != 0)
        return 0;
    pthread_mutex_lock(&counting);
    if (strcmp(counted, plan) != 0) {
        snprintf(counted, sizeof counted, "%s", plan);
        times = 0;
    }
    int time = ++times;
    pthread_mutex_unlock(&counting);
    const char *which = strchr(plan, '@');
    return which == NULL || atoi(which + 1) == time ? (unsigned int)atoi(plan + length + 1) : 0;
}
