import type { ExecutionId, FormResponse, WebhookResponse } from '@sluice/domain';
import type { Response } from 'express';
import type { FormPorts } from './form-ports.ts';
import { sendFormAnswer } from './send-form-answer.ts';

/** Answers a program that has sent a form, as webhooks answer. `slot`: where its answers are. Throws `NoAnswerError`. */
export async function answerProgram(
  ports: FormPorts,
  response: Response,
  { executionId, slot, form: { mode, ending } }: { executionId: ExecutionId; slot: number; form: FormResponse },
): Promise<void> {
  if (mode === 'onReceived') {
    const message = (ending.kind === 'text' ? ending.text : undefined) ?? 'Form submitted';
    response.json({ message, executionId, ...(ending.kind === 'redirect' && { redirectUrl: ending.url }) });
    return;
  }
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const asked: WebhookResponse = { mode, status: 200, headers: {}, data: 'firstEntryJson' };
  const answer = await ports.waiter.waitFor(executionId, asked, { slot, gone: gone.signal });
  if (answer) await sendFormAnswer(ports, response, { executionId, answer });
}
