import { type ExecutionId, isAppError, type WebhookResponse, type WebhookResponseSpec } from '@sluice/domain';
import type { NumberedChunk } from '@sluice/queue';
import type { Response } from 'express';
import { ResponseStream } from './response-stream.ts';
import { type ResponseFiles, sendWorkflowResponse } from './send-response.ts';

/** How a client receives its response. */
export interface ResponseReceiver {
  /** Aborts when the client disconnects. */
  disconnected: AbortSignal;
  /** Receives the parts of a streaming response. */
  onChunks(chunks: readonly NumberedChunk[]): void;
}

interface AwaitedResponse {
  executionId: ExecutionId;
  spec: WebhookResponseSpec;
  disconnected: AbortSignal;
  /** Resolves to the response of the workflow; `undefined` if the client disconnects. */
  wait(receiver: ResponseReceiver): Promise<WebhookResponse | undefined>;
}

/** Sent for a defect after the response has started. */
const unexpected = { code: 'INTERNAL_ERROR', message: 'the response cannot be sent' };

/** Waits for the response of a workflow and sends it; in parts while they arrive, if it streams. */
export async function relayResponse(
  files: ResponseFiles,
  response: Response,
  { executionId, spec, disconnected, wait }: AwaitedResponse,
): Promise<void> {
  const stream = spec.mode === 'streaming' ? new ResponseStream(response, executionId, spec) : undefined;
  try {
    const outcome = await wait({ disconnected, onChunks: (chunks) => stream?.take(chunks) });
    if (stream?.started) return stream.end();
    if (!outcome) return;
    const headers = { ...spec.headers, ...outcome.headers };
    await sendWorkflowResponse(files, response, { executionId, outcome: { ...outcome, headers } });
  } catch (error) {
    if (!stream?.started) throw error;
    const { code, message } = isAppError(error) ? error : unexpected;
    stream.fail(code, message);
  }
}
