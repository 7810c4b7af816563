/* Events as numbers: those that look alike to the others are one, and are compared once. */
#ifndef IMC_EVENTS_H
#define IMC_EVENTS_H

#include "machine.h"

typedef struct {
    uint32_t object;
    int32_t mode, atomic, tells;
    int64_t offset, size;
} cell_access;

typedef struct {
    int32_t thread, index;
    int32_t pc;           /* the record that the thread stood at */
    int16_t exits, starts, wakes, was_paused;
    uint64_t spawned, joined; /* threads, as bits */
    int32_t choices, choice_count; /* where they begin in the pool */
    int32_t accesses, access_count;
} event;

typedef struct {
    table numbers;
    event *all;
    int64_t room;
    cell_access *accesses;
    int64_t access_count, access_room;
    int64_t *choices;
    int64_t choice_count, choice_room;
    int8_t *dependent; /* 0 unknown, 1 no, 2 yes; a square of `side` */
    int64_t side;
    sequence words;
} events;

/* The machine's last step; `starts`: it was the program's start. */
int32_t event_of_step(events *, machine *, int starts);
/* Its thread and what was chosen, and nothing else. */
int32_t event_of_choices(events *, machine *);
/* The event that a thread is kept from, with what it has looked at. */
int32_t event_standing(events *, machine *, int thread, const cell_access *, int count);
int dependent(events *, budget *, int32_t one, int32_t other);
int conflict(const cell_access *, const cell_access *);
int both_arrive(const events *, int32_t one, int32_t other);
int same_choices(const events *, int32_t one, int32_t other);
void events_free(events *);

#endif
