import { type JsonObject, TimeSlice } from '@sluice/node-sdk';
import { atLeast, number, text, toggle, where } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { FileItem } from '../../shared/file-item.ts';
import { asText, filledFields, objectOf, objectsOf, textOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { ask, createWindow, sessionOf, sessionPath, windowOf, windowPath } from './airtop-client.ts';
import { more, sessionId, url, waitUntil, windowIds } from './airtop-properties.ts';

const live = where({ getLiveView: [true] });
const navigationBar = toggle('includeNavigationBar', 'Include Navigation Bar', 'Whether the live view has an address bar');
const resolution = text('screenResolution', 'Screen Resolution', 'Such as `1280x720`; default: that of the frame');
const disableResize = toggle('disableResize', 'Disable Resize', 'Whether the window keeps its size in the live view');

/** https://docs.airtop.ai/api-reference/airtop-api/windows */
export const browserWindow: Resource = {
  displayName: 'Window',
  initial: 'create',
  operations: {
    close: {
      displayName: 'Close Window',
      description: 'Closes a window',
      properties: windowIds,
      run: (item) => {
        const ids = windowOf(item);
        return ask(item, ids, { method: 'DELETE', path: windowPath(ids) });
      },
    },
    create: {
      displayName: 'Create a New Browser Window',
      description: 'Opens a page in a new window',
      properties: [
        sessionId,
        url,
        toggle('getLiveView', 'Get Live View', 'Whether to return the address of the live view'),
        { ...navigationBar, ...live },
        { ...resolution, ...live },
        { ...disableResize, ...live },
        more(waitUntil, atLeast(0, number('waitUntilTimeout', 'Wait Until Timeout', 30, 'Most seconds to wait for the page'))),
      ],
      run: create,
    },
    getLiveView: {
      displayName: 'Get Live View',
      description: 'Gets a window, with the address of its live view',
      properties: [...windowIds, more(navigationBar, resolution, disableResize)],
      run: (item) => {
        const ids = windowOf(item);
        return ask(item, ids, { path: windowPath(ids), query: liveQuery(item.fields('additionalFields')) });
      },
    },
    list: {
      displayName: 'List Windows',
      description: 'Lists the windows of a session',
      properties: [sessionId],
      run: (item) => {
        const id = sessionOf(item);
        return ask(item, { sessionId: id }, { path: sessionPath(id, '/windows') });
      },
    },
    load: {
      displayName: 'Load URL',
      description: 'Opens a page in a window',
      properties: [...windowIds, { ...url, required: true }, more(waitUntil)],
      run: (item) => {
        const ids = windowOf(item);
        const json = filledFields({ url: item.required('url'), waitUntil: item.optional('additionalFields.waitUntil') });
        return ask(item, ids, { path: windowPath(ids), json });
      },
    },
    takeScreenshot: {
      displayName: 'Take Screenshot',
      description: 'Takes a picture of a window',
      properties: [
        ...windowIds,
        toggle(
          'outputImageAsBinary',
          'Output Binary Image',
          'Whether the picture is a file of the item, instead of a data URL',
        ),
      ],
      run: takeScreenshot,
    },
  },
};

const liveQuery = ({ includeNavigationBar, screenResolution, disableResize: disabled }: JsonObject) => ({
  includeNavigationBar: includeNavigationBar || undefined,
  screenResolution,
  disableResize: disabled || undefined,
});

async function create(item: ServiceItem): Promise<JsonObject> {
  const { waitUntil: event, waitUntilTimeout: seconds } = item.fields('additionalFields');
  const settings = filledFields({ url: item.optional('url'), waitUntil: event, waitUntilTimeoutSeconds: seconds });
  const created = await createWindow(item, sessionOf(item), settings);
  if (!item.toggle('getLiveView')) return created;
  const ids = { sessionId: asText(created['sessionId']), windowId: asText(created['windowId']) };
  const query = liveQuery({
    includeNavigationBar: item.toggle('includeNavigationBar'),
    screenResolution: item.text('screenResolution'),
    disableResize: item.toggle('disableResize'),
  });
  return ask(item, ids, { path: windowPath(ids), query });
}

/** Screenshots are data URLs in the metadata of the response. */
async function takeScreenshot(item: ServiceItem): Promise<FileItem> {
  const ids = windowOf(item);
  const records = await ask(item, ids, { path: windowPath(ids, '/screenshot'), json: {} });
  const [shot = {}] = objectsOf(objectOf(records['meta'])['screenshots']);
  const image = textOf(shot['dataUrl']);
  const start = /^data:(image\/[\w.+-]{1,50});base64,/.exec(image.slice(0, 100));
  if (!start) throw item.error('the Airtop response has no screenshot', 'Wait until the page is loaded, then try again');
  if (!item.toggle('outputImageAsBinary')) return new FileItem({ ...ids, image }, {});
  const [head, mimeType = ''] = start;
  const data = await item.context.binary.store(await decoded(image, head.length), {
    mimeType,
    fileName: `screenshot.${mimeType === 'image/png' ? 'png' : 'jpg'}`,
  });
  return new FileItem({ ...ids }, { data });
}

/** A multiple of four characters, as base64 requires. */
const charactersAtOnce = 4_000_000;

async function decoded(text: string, start: number): Promise<Buffer> {
  const slice = new TimeSlice();
  const parts: Buffer[] = [];
  for (let at = start; at < text.length; at += charactersAtOnce) {
    if (slice.isOver) await slice.next();
    parts.push(Buffer.from(text.slice(at, at + charactersAtOnce), 'base64'));
  }
  return Buffer.concat(parts);
}
