import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { JsonObject } from '@sluice/domain';

/**
 * Maximum duration of a request in milliseconds: the service responds within `WEBHOOK_WAIT_MS`, two
 * minutes by default.
 */
const hangsAfterMs = 150_000;

/** A webhook request, and its response. */
export interface WebhookOutcome {
  /** Identifies the request. Its body contains it. */
  event: string;
  status: number;
  text: string;
  /** Code of an error response. */
  code: string | undefined;
  executionId: string | undefined;
}

/**
 * Sends a request with the event in its body to a webhook. Repeats it with the same key while the
 * service is unavailable, as senders do. Rejects if no response arrives.
 */
export async function sendWebhook(
  url: string,
  { event = randomUUID(), body = {} }: { event?: string; body?: JsonObject } = {},
): Promise<WebhookOutcome> {
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

/** The error in a JSON response, or in the last line of a streamed response. */
function failureIn(text: string): Pick<WebhookOutcome, 'code' | 'executionId'> {
  const lines = text.trimEnd().split('\n');
  try {
    const json = JSON.parse(lines.at(-1) ?? '') as { code?: string; executionId?: string; metadata?: JsonObject };
    const { code, executionId } = { ...json, ...json.metadata } as { code?: string; executionId?: string };
    return { code, executionId };
  } catch {
    return { code: undefined, executionId: undefined };
  }
}
