import type { ExpectedRequest } from './suspension.ts';

/*
 * Each caller that waits for a response has its own slot: the request or form that started the
 * execution; each request that ended a wait; and each form that an execution waits for, with its
 * further pages. A response is stored in one slot and read only from that slot, so no caller gets
 * the response of another caller.
 */

/**
 * The properties of a wait for a request or a form that determine slots. Its slot is its attempt,
 * at least 2.
 */
export interface SlotWait {
  attempt: number;
  /** Whether a request or form submission has ended it. */
  called: boolean;
  call: Pick<ExpectedRequest, 'form' | 'answer'>;
}

/** Slot of the request or form that started the execution. */
export const starterSlot = 0;

/** The properties of a response that determine its slot. */
export interface ResponseKind {
  /** Whether it is a form ending rather than a node's response. */
  endsForm: boolean;
  /** Whether a form started the execution. */
  startedByForm: boolean;
}

/**
 * The slot of a response. A node's response is for the last request that waits for a node to
 * respond. A form ending is for the form started last or, without a form, for such a request.
 * `waits`: the execution's waits, newest first.
 */
export function responseSlot(waits: readonly SlotWait[], { endsForm, startedByForm }: ResponseKind): number {
  const called = waits.filter(({ called: isOver }) => isOver);
  const form = called.find(beginsForm);
  if (endsForm && (form || startedByForm)) return form?.attempt ?? starterSlot;
  return called.find(awaitsNode)?.attempt ?? starterSlot;
}

/**
 * The slot from which a form's submitter reads responses. `waits`: the wait that this form ended
 * and all earlier ones, newest first; empty for the form that started the execution.
 */
export function formSlot(waits: readonly SlotWait[]): number {
  return waits.find(beginsForm)?.attempt ?? starterSlot;
}

/** Whether this is the first page of a form. */
function beginsForm({ call: { form } }: SlotWait): boolean {
  return form !== undefined && !form.isNextPage;
}

function awaitsNode(wait: SlotWait): boolean {
  const { form, answer } = wait.call;
  const { mode } = (form && beginsForm(wait) ? form.response : answer) ?? {};
  return mode === 'responseNode' || mode === 'streaming';
}
