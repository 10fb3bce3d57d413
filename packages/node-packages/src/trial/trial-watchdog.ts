import { workerData } from 'node:worker_threads';

/** Ends the process, also out of a loop that never gives way, once the one that has started it is gone. */
setInterval(() => {
  if (process.ppid !== workerData) process.kill(process.pid, 'SIGKILL');
}, 500);
