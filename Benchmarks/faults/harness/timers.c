// Timers as the system sets them, in a process whose clock is false: preloaded before libfaketime.
//
// libfaketime takes every absolute timer for one of the wall clock and shifts it by what that clock is off. Those of Swift's tasks are
// on the clock since the boot, which it leaves alone. Two hours back, a task that sleeps for 10 ms would sleep for two hours.
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

int timerfd_settime(int timer, int flags, const struct itimerspec *next, struct itimerspec *previous) {
    return (int)syscall(SYS_timerfd_settime, timer, flags, next, previous);
}
