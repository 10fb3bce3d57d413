import { parentPort } from 'node:worker_threads';
import type { AnswerMessage, AskHost, TaskMessage, ThreadMessage, ThreadTask } from './thread-messages.ts';

/** The thread's side: one task after the other. */
const port = parentPort;
const send = (message: ThreadMessage) => port?.postMessage(message);
const asked = new Map<number, PromiseWithResolvers<unknown>>();
let questions = 0;

port?.on('message', (message: TaskMessage | AnswerMessage) => {
  if ('answer' in message) settle(message);
  else void run(message);
});

async function run({ module, input }: TaskMessage): Promise<void> {
  try {
    const { task } = (await import(module)) as { task: ThreadTask<unknown> };
    for await (const part of task(input, ask)) {
      send(part instanceof Uint8Array ? { bytes: part } : { json: JSON.stringify(part) });
    }
    send({ end: true });
  } catch (error) {
    send({ failure: error instanceof Error ? error.message : String(error) });
  }
}

const ask: AskHost = (method, ...args) => {
  const question = Promise.withResolvers<unknown>();
  const id = questions++;
  asked.set(id, question);
  send({ ask: id, method, args });
  return question.promise;
};

function settle({ answer, value, failure }: AnswerMessage): void {
  const question = asked.get(answer);
  asked.delete(answer);
  if (failure === undefined) question?.resolve(value);
  else question?.reject(failure);
}
