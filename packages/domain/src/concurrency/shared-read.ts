interface Question<Result> {
  running: Promise<Result>;
  /** Shared by requests that arrived during the current read; starts when that one ends. */
  next: Promise<Result> | undefined;
}

/**
 * Lets concurrent requests for the same data share one read. A request does not join a read in
 * flight, which may have missed a change that the caller already knows of: it waits for the next
 * read, which starts when the current one ends. So a result is never older than its request, a lone
 * request does not wait, and there is one read at a time per key.
 */
export class SharedRead<Result> {
  readonly #questions = new Map<string, Question<Result>>();

  /**
   * Calls the `read` of one of the requests that share the key. On failure, rejects for all of
   * them.
   */
  ask(key: string, read: () => Promise<Result>): Promise<Result> {
    const question = this.#questions.get(key);
    if (!question) return this.#start(key, read);
    const start = () => this.#start(key, read);
    question.next ??= question.running.then(start, start);
    return question.next;
  }

  #start(key: string, read: () => Promise<Result>): Promise<Result> {
    const question: Question<Result> = { running: read(), next: undefined };
    this.#questions.set(key, question);
    const done = () => {
      if (question.next === undefined) this.#questions.delete(key);
    };
    question.running.then(done, done);
    return question.running;
  }
}
