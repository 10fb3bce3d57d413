import type { ResumeCall } from './suspension.ts';

/*
 * Each caller who waits for an answer has a slot of its own: the call, or the form, that has started the execution; each call that has ended a wait; and each
 * form that an execution has asked somebody for, with the pages that follow. An answer goes into one slot, and is read from there alone, so nobody is told
 * what another caller was told.
 */

/** A wait for a call or a form, as far as it says whom an answer is for. Its slot is its attempt, which is 2 at least. */
export interface AnswerableWait {
  attempt: number;
  /** Whether a call, or a form, has ended it. */
  called: boolean;
  call: Pick<ResumeCall, 'form' | 'answer'>;
}

/** Of whoever has started the execution. */
export const starterSlot = 0;

/** What an execution gives an answer to, as far as its slot depends on it. */
export interface AnswerKind {
  /** The ending of a form, rather than what a node responds. */
  endsForm: boolean;
  /** Whether a form has started the execution. */
  begunByForm: boolean;
}

/**
 * Where an answer goes. What a node responds is for who has called last among those that wait for a node to respond; an ending, for who has begun to fill in a form
 * last, and only where nobody has, for such a call. `waits`: those of the execution, the newest first.
 */
export function answerSlot(waits: readonly AnswerableWait[], { endsForm, begunByForm }: AnswerKind): number {
  const called = waits.filter(({ called: isOver }) => isOver);
  const form = called.find(beginsForm);
  if (endsForm && (form || begunByForm)) return form?.attempt ?? starterSlot;
  return called.find(awaitsNode)?.attempt ?? starterSlot;
}

/** Where whoever has sent a form finds answers. `waits`: from the wait that this form has ended back in time; empty for the form that has started the execution. */
export function formSlot(waits: readonly AnswerableWait[]): number {
  return waits.find(beginsForm)?.attempt ?? starterSlot;
}

/** Whether somebody begins to fill in a form there, rather than goes on with one. */
function beginsForm({ call: { form } }: AnswerableWait): boolean {
  return form !== undefined && !form.isNextPage;
}

function awaitsNode(wait: AnswerableWait): boolean {
  const { form, answer } = wait.call;
  return (form && beginsForm(wait) ? form.response : answer)?.mode === 'responseNode';
}
