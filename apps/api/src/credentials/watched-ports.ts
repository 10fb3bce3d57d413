import type { CredentialPorts, HttpClient } from '@sluice/node-sdk';

/** The ports, and whether one of their requests got a 401. */
interface WatchedPorts {
  ports: CredentialPorts;
  readonly refused: boolean;
}

export function watchedPorts(ports: CredentialPorts): WatchedPorts {
  let refused = false;
  const request: HttpClient['request'] = async (...args) => {
    const response = await ports.http.request(...args);
    refused ||= response.status === 401;
    return response;
  };
  return {
    ports: { ...ports, http: { ...ports.http, request } },
    get refused() {
      return refused;
    },
  };
}
