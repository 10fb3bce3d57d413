import { workerData } from 'node:worker_threads';

/** Terminates the process once its parent is gone, even from an endless loop. */
setInterval(() => {
  if (process.ppid !== workerData) process.kill(process.pid, 'SIGKILL');
}, 500);
