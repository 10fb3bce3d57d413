import type { BinaryStore } from '@sluice/binary-store';
import type { BinaryRepository } from '@sluice/db';
import type { ExecutionId, WebhookAnswer } from '@sluice/domain';
import type { Response } from 'express';
import { toErrorBody } from '../../http/error-handler.ts';
import { statusOf } from '../../http/error-statuses.ts';
import { requestState } from '../../http/request-state.ts';
import { NoAnswerError } from './errors.ts';
import { type AnswerFile, sendAnswer } from './send-answer.ts';

/** Where the files are that answers may be. */
export interface AnswerFiles {
  binaries: BinaryRepository;
  store: BinaryStore;
}

/** Sends what a workflow has answered. Throws `NoAnswerError` for a file that is gone. */
export async function sendWorkflowAnswer(
  { binaries, store }: AnswerFiles,
  response: Response,
  { executionId, answer }: { executionId: ExecutionId; answer: WebhookAnswer },
): Promise<void> {
  if (answer.body.kind !== 'file') return sendAnswer(response, answer);
  const found = await binaries.findReadable(answer.body.file.id, executionId);
  if (!found) throw new NoAnswerError('NO_ANSWER', 'the file that is the answer does not exist', executionId);
  const file: AnswerFile = { mimeType: found.mimeType, size: found.size, open: () => store.open(found.id) };
  await sendAnswer(response, answer, file);
}

/** A failure of the workflow, not of the service: it names the execution, and says nothing of what happened inside. */
export function sendNoAnswer(error: NoAnswerError, response: Response): void {
  const { requestId } = requestState(response.req);
  const status = statusOf(error.code) ?? 500;
  if (status === 503) response.setHeader('Retry-After', '2');
  response.status(status).json({ ...toErrorBody(error, requestId), executionId: error.executionId });
}
