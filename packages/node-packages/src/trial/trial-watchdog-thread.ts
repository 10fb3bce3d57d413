import { workerData } from 'node:worker_threads';

/** Ends the process once its parent is gone, even out of an endless loop. */
setInterval(() => {
  if (process.ppid !== workerData) process.kill(process.pid, 'SIGKILL');
}, 500);
