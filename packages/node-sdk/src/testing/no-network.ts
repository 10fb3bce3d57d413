import type { HttpClient } from '../http/http.ts';

const unexpected = () => Promise.reject(new Error('the test expected no network'));

/** An HTTP client that fails on every use, for code that must not make requests. */
export const noNetwork: HttpClient = {
  request: unexpected,
  stream: unexpected,
  guard: {
    check: unexpected,
    lookup: (_hostname, _options, callback) => callback(new Error('the test expected no network'), []),
  },
};
