import type { ExecutionId, FormResponse, WebhookAnswer, WebhookResponse } from '@sluice/domain';
import type { Response } from 'express';
import { completionView, redirectView } from '../../pages/notice-view.ts';
import { type Page, sendPage } from '../../pages/send-page.ts';
import { NoAnswerError } from '../shared/errors.ts';
import { type AnswerFile, type AnswerFiles, sendAnswer } from '../shared/send-response.ts';
import type { WorkflowResponseWaiter } from '../shared/workflow-response-waiter.ts';

interface Sent {
  executionId: ExecutionId;
  answer: WebhookAnswer;
  /** Sends the file of the page instead of the page. */
  fileOnly?: boolean;
}

/**
 * Sends the answer of a workflow to a browser: a page of ours, a redirect, or, without an origin,
 * its own page.
 */
export async function sendFormAnswer(
  files: AnswerFiles,
  response: Response,
  { executionId, answer, fileOnly }: Sent,
): Promise<void> {
  const page = pageOf(answer);
  const { body } = answer;
  const file = body.kind === 'file' || (body.kind === 'page' && fileOnly) ? body.file : undefined;
  if (file) {
    const stored = await fileOf(files, file.id, executionId);
    const sent = { ...stored, ...(body.kind === 'page' && { downloadName: stored.fileName }) };
    await sendAnswer(response, { ...answer, body: { kind: 'file', file } }, sent);
  } else if (page) sendPage(response, 200, page);
  else await sendAnswer(response, answer);
}

/**
 * Answers a program that sent a form, as webhooks answer. `slot`: slot of its answer; `gone` aborts
 * when the client disconnects. Throws `NoAnswerError`.
 */
export async function sendJsonAnswer(
  { waiter, ...files }: AnswerFiles & { waiter: WorkflowResponseWaiter },
  response: Response,
  {
    executionId,
    slot,
    form: { mode, ending },
    gone,
  }: { executionId: ExecutionId; slot: number; form: FormResponse; gone: AbortSignal },
): Promise<void> {
  if (mode === 'onReceived') {
    const message = (ending.kind === 'text' ? ending.text : undefined) ?? 'Form submitted';
    response.json({ message, executionId, ...(ending.kind === 'redirect' && { redirectUrl: ending.url }) });
    return;
  }
  const asked: WebhookResponse = { mode, status: 200, headers: {}, data: 'firstEntryJson' };
  const answer = await waiter.waitFor(executionId, asked, { slot, gone });
  if (answer) await sendFormAnswer(files, response, { executionId, answer });
}

function pageOf({ status, headers, body }: WebhookAnswer): Page | undefined {
  const given = Object.entries(headers).find(([name]) => name.toLowerCase() === 'location')?.[1];
  const location = typeof given === 'object' ? given.at(-1) : given;
  if (status >= 300 && status < 400 && location !== undefined) return redirectView(location);
  return body.kind === 'page' ? completionView(body, body.file && '?file') : undefined;
}

async function fileOf(
  { binaries, store }: AnswerFiles,
  id: string,
  executionId: ExecutionId,
): Promise<AnswerFile & { fileName: string }> {
  const found = await binaries.findReadable(id, executionId);
  if (!found) throw new NoAnswerError('NO_ANSWER', 'the file that is the answer does not exist', executionId);
  return { mimeType: found.mimeType, size: found.size, fileName: found.fileName ?? 'file', open: () => store.open(found.id) };
}
