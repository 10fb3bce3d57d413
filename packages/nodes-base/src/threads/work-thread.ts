import { parentPort } from 'node:worker_threads';
import type { ErrorFields } from './error-fields.ts';
import type { AskHost, ResponseMessage, TaskMessage, ThreadMessage, ThreadTask } from './thread-messages.ts';

/** The thread's side: runs one task after another. */
const port = parentPort;

// Output of libraries is discarded here: a reader in the process would keep it alive while the
// thread is idle.
for (const stream of [process.stdout, process.stderr]) stream._writev = (_chunks, done) => done();
const send = (message: ThreadMessage) => port?.postMessage(message);
const pending = new Map<number, PromiseWithResolvers<unknown>>();
let questions = 0;

port?.on('message', (message: TaskMessage | ResponseMessage) => {
  if ('answer' in message) settle(message);
  else void run(message);
});

async function run({ module, input }: TaskMessage): Promise<void> {
  try {
    const { task } = (await import(module)) as { task: ThreadTask<unknown> };
    const parts = new PartSender();
    for await (const part of task(input, ask)) parts.add(part);
    parts.flush();
    send({ end: true });
  } catch (error) {
    send({ failure: error instanceof Error ? error.message : `${error}` });
  }
}

/**
 * Number of characters that one message collects: separate messages for 400,000 small parts would
 * block the host.
 */
const messageLength = 64 * 1024;

/** Sends parts in order, several small parts in one message. */
class PartSender {
  #texts: string[] = [];
  #length = 0;

  add(part: unknown): void {
    if (part instanceof Uint8Array) {
      this.flush();
      send({ bytes: part });
      return;
    }
    const text = JSON.stringify(part);
    this.#texts.push(text);
    this.#length += text.length;
    if (this.#length >= messageLength) this.flush();
  }

  flush(): void {
    if (this.#texts.length > 0) send({ json: `[${this.#texts.join()}]` });
    this.#texts = [];
    this.#length = 0;
  }
}

const ask: AskHost = (method, ...args) => {
  const question = Promise.withResolvers<unknown>();
  const id = questions++;
  pending.set(id, question);
  send({ ask: id, method, args });
  return question.promise;
};

function settle(message: ResponseMessage): void {
  const question = pending.get(message.answer);
  pending.delete(message.answer);
  if ('failure' in message) void reject(question, message.failure);
  else question?.resolve(message.value);
}

/** Imports the SDK, which errors need, only for the first error, so that a thread starts faster. */
async function reject(question: PromiseWithResolvers<unknown> | undefined, failure: ErrorFields): Promise<void> {
  const { errorOf } = await import('./error-fields.ts');
  question?.reject(errorOf(failure));
}
