import { parentPort } from 'node:worker_threads';
import { runTask } from './run-task.ts';
import type { TaskMessage, ThreadMessage } from './tasks.ts';

/** The thread's side: one task after the other. */
const port = parentPort;
port?.on('message', (task: TaskMessage) => void answer(task));

async function answer(task: TaskMessage): Promise<void> {
  const send = (message: ThreadMessage) => port?.postMessage(message);
  try {
    for await (const part of runTask(task)) send({ part });
    send({ end: true });
  } catch (error) {
    send({ failure: error instanceof Error ? error.message : String(error) });
  }
}
