import { randomBytes } from 'node:crypto';
import { createConnectGuard, createHttpClient, guardedConnect } from '@sluice/http-client';
import type { AuthenticationPorts, CredentialPorts, HttpRequest, HttpResponse } from '@sluice/node-sdk';

/** Ports with a fixed clock, known random bytes, and a service whose responses the test defines. */
export function fakePorts({
  nowMs = Date.UTC(2026, 0, 2, 3, 4, 5),
  bytes = Buffer.alloc(64, 1),
  answer = () => jsonResponse({}),
}: {
  nowMs?: number;
  bytes?: Buffer;
  answer?: (request: HttpRequest) => HttpResponse;
} = {}): CredentialPorts & { readonly requests: HttpRequest[] } {
  const requests: HttpRequest[] = [];
  const ports: AuthenticationPorts = {
    now: () => nowMs,
    randomBytes: () => bytes,
    http: {
      // Like the real client, for one hop.
      async request({ authentication, ...request }, signal) {
        const authenticated = (await authentication?.authenticate?.(request, signal)) ?? request;
        requests.push(authenticated);
        return answer(authenticated);
      },
    },
  };
  const refuse = () => Promise.reject(new Error('the test expected no connection'));
  return { ...ports, requests, connect: refuse, connectGuard: { allows: refuse } };
}

export function jsonResponse(body: unknown, status = 200, headers: HttpResponse['headers'] = {}): HttpResponse {
  return { status, statusText: '', headers, body: Buffer.from(JSON.stringify(body)), url: '' };
}

/** Ports without network restrictions. */
export function realPorts(): CredentialPorts & { close(): Promise<void> } {
  const open = { ssrfProtection: 'off', ssrfAllow: [] } as const;
  const http = createHttpClient(open);
  const connectGuard = createConnectGuard(open);
  return { http, connect: guardedConnect(connectGuard), connectGuard, now: Date.now, randomBytes, close: () => http.close() };
}
