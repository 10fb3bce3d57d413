import type { ExecutionId, FormResponse, WebhookResponse, WebhookResponseSpec } from '@sluice/domain';
import type { Response } from 'express';
import { completionView, redirectView } from '../../pages/notice-view.ts';
import { type Page, sendPage } from '../../pages/send-page.ts';
import { findResponseFile, type ResponseFiles, sendWebhookResponse } from '../shared/send-response.ts';
import type { WorkflowResponseWaiter } from '../shared/workflow-response-waiter.ts';

interface Sent {
  executionId: ExecutionId;
  outcome: WebhookResponse;
  /** Sends the file of the page instead of the page. */
  fileOnly?: boolean;
}

/**
 * Sends the response of a workflow to a browser: one of our pages, a redirect, or, without an
 * origin, its own page.
 */
export async function sendFormResponse(
  files: ResponseFiles,
  response: Response,
  { executionId, outcome, fileOnly }: Sent,
): Promise<void> {
  const page = pageOf(outcome);
  const { body } = outcome;
  const file = body.kind === 'file' || (body.kind === 'page' && fileOnly) ? body.file : undefined;
  if (file) {
    const stored = await findResponseFile(files, file.id, executionId);
    const sent = { ...stored, ...(body.kind === 'page' && { downloadName: stored.fileName }) };
    await sendWebhookResponse(response, { ...outcome, body: { kind: 'file', file } }, sent);
  } else if (page) sendPage(response, 200, page);
  else await sendWebhookResponse(response, outcome);
}

/**
 * Responds to a program that submitted a form, like a webhook. `slot`: slot of its response;
 * `disconnected` aborts when the client disconnects. Throws `NoResponseError`.
 */
export async function sendJsonResponse(
  { waiter, ...files }: ResponseFiles & { waiter: WorkflowResponseWaiter },
  response: Response,
  {
    executionId,
    slot,
    form: { mode, ending },
    disconnected,
  }: { executionId: ExecutionId; slot: number; form: FormResponse; disconnected: AbortSignal },
): Promise<void> {
  if (mode === 'onReceived') {
    const message = (ending.kind === 'text' ? ending.text : undefined) ?? 'Form submitted';
    response.json({ message, executionId, ...(ending.kind === 'redirect' && { redirectUrl: ending.url }) });
    return;
  }
  const spec: WebhookResponseSpec = { mode, status: 200, headers: {}, data: 'firstEntryJson' };
  const outcome = await waiter.waitFor(executionId, spec, { slot, disconnected });
  if (outcome) await sendFormResponse(files, response, { executionId, outcome });
}

function pageOf({ status, headers, body }: WebhookResponse): Page | undefined {
  const target = Object.entries(headers).find(([name]) => name.toLowerCase() === 'location')?.[1];
  const location = typeof target === 'object' ? target.at(-1) : target;
  if (status >= 300 && status < 400 && location !== undefined) return redirectView(location);
  return body.kind === 'page' ? completionView(body, body.file && '?file') : undefined;
}
