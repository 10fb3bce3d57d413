/** Mocks a list of `count` executions, newest first. Runs in the page before its scripts. */
export const manyExecutions = `(count) => {
  const own = window.fetch.bind(window);
  window.fetch = async (input, init) => {
    const address = new URL(input instanceof Request ? input.url : input, location.href);
    if (!address.pathname.endsWith('/api/v1/executions')) return own(input, init);
    const data = Array.from({ length: count }, (_, index) => ({
      id: String(count - index), workflowId: 'w', workflowName: 'Workflow of row ' + (index + 1), status: 'success',
      mode: 'trigger', startedAt: '2026-11-28T03:00:00.000Z', stoppedAt: '2026-11-28T03:00:01.000Z', retryOf: null, retrySuccessId: null,
    }));
    return Response.json({ data, nextCursor: null, count, estimated: false, concurrentExecutionsCount: 0 });
  };
}`;
