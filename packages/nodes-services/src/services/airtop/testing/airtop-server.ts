import { type ApiRoute, type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const flag = { type: 'boolean' };
const waitUntil = { enum: ['load', 'domContentLoaded', 'complete', 'noWait'] };
const scope = { enum: ['auto', 'page', 'scan', 'viewport'] };
const interaction = {
  visualAnalysis: fields({ 'scope!': scope }),
  waitForNavigationConfig: fields({ 'waitUntil!': { enum: ['load', 'domcontentloaded', 'networkidle0', 'networkidle2'] } }),
};
const answering = (body: Parameters<typeof fields>[0], modelResponse = 'done'): ApiRoute => ({
  body: fields(body),
  answer: () => ({ json: { data: { modelResponse }, meta: { status: 'success' } } }),
});
const axes = (schema: object) => ({ ...fields({ xAxis: schema, yAxis: schema }), minProperties: 1 });

/** https://docs.airtop.ai/api-reference/airtop-api, for the key `k1`. */
export function airtopServer(): Promise<ApiServer> {
  const window = '/api/v1/sessions/:id/windows/:window';
  return apiServer({
    baseUrl: 'https://api.airtop.ai',
    headers: { authorization: /^Bearer k1$/ },
    routes: {
      'POST /api/v1/sessions': {
        body: fields({
          'configuration!': fields({
            profileName: text,
            timeoutMinutes: { type: 'integer', minimum: 1 },
            record: flag,
            solveCaptcha: flag,
            extensionIds: { type: 'array', minItems: 1, items: text },
            proxy: { anyOf: [flag, text, fields({ country: text, sticky: flag })] },
          }),
        }),
        answer: () => ({ status: 201, json: { data: { id: 's1', status: 'awaitingCapacity' } } }),
      },
      'GET /api/v1/sessions/:id': { answer: () => ({ json: { data: { id: 's1', status: 'running' } } }) },
      'DELETE /api/v1/sessions/:id': { answer: () => ({ status: 204 }) },
      'PUT /api/v1/sessions/:id/save-profile-on-termination/:name': { answer: () => ({ status: 200 }) },
      'GET /api/v1/sessions/:id/windows': { answer: () => ({ json: { data: { windows: [{ windowId: 'w1' }] } } }) },
      'POST /api/v1/sessions/:id/windows': {
        body: fields({ url: text, screenResolution: text, waitUntil, waitUntilTimeoutSeconds: { type: 'integer' } }),
        answer: () => ({ json: { data: { windowId: 'w1', targetId: 't1' } } }),
      },
      [`GET ${window}`]: {
        query: fields({
          includeNavigationBar: { const: 'true' },
          screenResolution: text,
          disableResize: { const: 'true' },
        }),
        answer: () => ({ json: { data: { windowId: 'w1', liveViewUrl: 'https://live.example/' } } }),
      },
      [`POST ${window}`]: {
        body: fields({ 'url!': text, waitUntil }),
        answer: () => ({ json: { data: { windowId: 'w1' } } }),
      },
      [`DELETE ${window}`]: { answer: () => ({ json: { data: { windowId: 'w1' } } }) },
      [`POST ${window}/screenshot`]: {
        body: fields({}),
        answer: () => ({ json: { meta: { screenshots: [{ dataUrl: 'data:image/png;base64,iVBORw0K' }] } } }),
      },
      [`POST ${window}/page-query`]: answering(
        {
          'prompt!': text,
          configuration: fields({ outputSchema: text, includeVisualAnalysis: { enum: ['auto', 'disabled', 'enabled'] } }),
        },
        'Example Domain',
      ),
      [`POST ${window}/paginated-extraction`]: answering({
        'prompt!': text,
        configuration: fields({
          outputSchema: text,
          interactionMode: { enum: ['auto', 'accurate', 'cost-efficient'] },
          paginationMode: { enum: ['auto', 'paginated', 'infinite-scroll'] },
        }),
      }),
      [`POST ${window}/scrape-content`]: answering({}),
      [`POST ${window}/click`]: answering({
        'elementDescription!': text,
        waitForNavigation: flag,
        configuration: fields({ clickType: { enum: ['click', 'doubleClick', 'rightClick'] }, ...interaction }),
      }),
      [`POST ${window}/hover`]: answering({
        'elementDescription!': text,
        waitForNavigation: flag,
        configuration: fields(interaction),
      }),
      [`POST ${window}/scroll`]: answering({
        scrollToElement: text,
        scrollToEdge: axes({ enum: ['top', 'bottom', 'left', 'right'] }),
        scrollBy: axes({ type: 'string', pattern: '^-?[0-9]+(px|%)$' }),
        scrollWithin: text,
        configuration: fields(interaction),
      }),
      [`POST ${window}/type`]: answering({
        'text!': text,
        elementDescription: text,
        pressEnterKey: flag,
        clearInputField: flag,
        waitForNavigation: flag,
        configuration: fields(interaction),
      }),
    },
  });
}
