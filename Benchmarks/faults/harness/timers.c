// Keeps libfaketime from changing timers; preloaded before it.
//
// libfaketime treats every absolute timer as one of the wall clock and shifts it by that clock's offset. Swift's tasks set timers on the
// clock since boot, which it does not fake. With the clock two hours back, a task that sleeps for 10 ms would sleep for two hours.
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

int timerfd_settime(int timer, int flags, const struct itimerspec *next, struct itimerspec *previous) {
    return (int)syscall(SYS_timerfd_settime, timer, flags, next, previous);
}
