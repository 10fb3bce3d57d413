import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { JsonObject } from '@sluice/domain';

/** No call may hang for longer, in milliseconds: the service answers at `WEBHOOK_WAIT_MS` at the latest, after two minutes by default. */
const hangsAfterMs = 150_000;

/** A call of a webhook, and how it was answered. */
export interface AnsweredCall {
  /** Tells the call from all others; it is in its body. */
  event: string;
  status: number;
  text: string;
  /** Of a failure. */
  code: string | undefined;
  executionId: string | undefined;
}

/**
 * Calls a webhook with a body that names the event, and calls again as long as the service says that it is not available just now: as senders do, with the same
 * key. Rejects when the answer does not come.
 */
export async function callWebhook(
  url: string,
  { event = randomUUID(), body = {} }: { event?: string; body?: JsonObject } = {},
): Promise<AnsweredCall> {
  for (;;) {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': event },
      body: JSON.stringify({ event, ...body }),
      signal: AbortSignal.timeout(hangsAfterMs),
    });
    const text = await response.text();
    if (response.status !== 503) return { event, status: response.status, text, ...failureIn(text) };
    await delay(500);
  }
}

/** An answer in JSON, or the last line of one in parts. */
function failureIn(text: string): Pick<AnsweredCall, 'code' | 'executionId'> {
  const lines = text.trimEnd().split('\n');
  try {
    const json = JSON.parse(lines.at(-1) ?? '') as { code?: string; executionId?: string; metadata?: JsonObject };
    const { code, executionId } = { ...json, ...json.metadata } as { code?: string; executionId?: string };
    return { code, executionId };
  } catch {
    return { code: undefined, executionId: undefined };
  }
}
