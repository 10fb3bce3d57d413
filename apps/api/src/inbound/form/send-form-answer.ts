import type { ExecutionId, WebhookAnswer } from '@sluice/domain';
import type { Response } from 'express';
import { completionView, redirectView } from '../../pages/notice-view.ts';
import { type Page, sendPage } from '../../pages/send-page.ts';
import { NoAnswerError } from '../shared/errors.ts';
import { type AnswerFile, sendAnswer } from '../shared/send-response.ts';
import type { FormPorts } from './form-ports.ts';

interface Sent {
  executionId: ExecutionId;
  answer: WebhookAnswer;
  /** The file that belongs to the page, rather than the page. */
  fileOnly?: boolean;
}

/** Shows what a workflow has answered: a page of ours, another address, or, as a stranger's page, what it says itself. */
export async function sendFormAnswer(
  ports: FormPorts,
  response: Response,
  { executionId, answer, fileOnly }: Sent,
): Promise<void> {
  const page = pageOf(answer);
  const { body } = answer;
  const file = body.kind === 'file' || (body.kind === 'page' && fileOnly) ? body.file : undefined;
  if (file) {
    const stored = await fileOf(ports, file.id, executionId);
    if (body.kind === 'page') response.attachment(stored.fileName);
    await sendAnswer(response, { ...answer, body: { kind: 'file', file } }, stored);
  } else if (page) sendPage(response, 200, page);
  else await sendAnswer(response, answer);
}

function pageOf({ status, headers, body }: WebhookAnswer): Page | undefined {
  const given = Object.entries(headers).find(([name]) => name.toLowerCase() === 'location')?.[1];
  const location = typeof given === 'object' ? given.at(-1) : given;
  if (status >= 300 && status < 400 && location !== undefined) return redirectView(location);
  return body.kind === 'page' ? completionView(body, body.file && '?file') : undefined;
}

async function fileOf(
  { binaries, store }: FormPorts,
  id: string,
  executionId: ExecutionId,
): Promise<AnswerFile & { fileName: string }> {
  const found = await binaries.findReadable(id, executionId);
  if (!found) throw new NoAnswerError('NO_ANSWER', 'the file that is the answer does not exist', executionId);
  return { mimeType: found.mimeType, size: found.size, fileName: found.fileName ?? 'file', open: () => store.open(found.id) };
}
