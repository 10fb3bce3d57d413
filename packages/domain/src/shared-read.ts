interface Question<Answer> {
  running: Promise<Answer>;
  /** Shared by those who came after the read under way had begun; their own begins when it ends. */
  next: Promise<Answer> | undefined;
}

/**
 * Lets those who ask the same at the same time share one answer. A read that is under way is not joined, since it may have missed
 * what the new asker has just seen: whoever comes meanwhile waits for the next read, which begins when that one ends. So an answer is
 * never older than its question, a lone question waits for nothing, and there is one read at a time of each.
 */
export class SharedRead<Answer> {
  readonly #questions = new Map<string, Question<Answer>>();

  /** `read` is called for one of those who ask with this key. Rejects for all who share it. */
  ask(key: string, read: () => Promise<Answer>): Promise<Answer> {
    const question = this.#questions.get(key);
    if (!question) return this.#start(key, read);
    const start = () => this.#start(key, read);
    question.next ??= question.running.then(start, start);
    return question.next;
  }

  #start(key: string, read: () => Promise<Answer>): Promise<Answer> {
    const question: Question<Answer> = { running: read(), next: undefined };
    this.#questions.set(key, question);
    const done = () => {
      if (question.next === undefined) this.#questions.delete(key);
    };
    question.running.then(done, done);
    return question.running;
  }
}
