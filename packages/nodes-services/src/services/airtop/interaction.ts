import type { JsonObject, NodeProperty } from '@sluice/node-sdk';
import { choice, choices, text, toggle, where } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { filledFields } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { ask, windowOf, windowPath } from './airtop-client.ts';
import { more, visualScope, windowIds } from './airtop-properties.ts';

const element = text('elementDescription', 'Element Description', 'The element, in words', { required: true });
const waits = choice(
  'waitForNavigation',
  'Wait for Navigation',
  choices(
    ['load', 'Load'],
    ['domcontentloaded', 'DOM Content Loaded'],
    ['networkidle0', 'Network Idle', 'No requests'],
    ['networkidle2', 'Network Almost Idle', 'At most two requests'],
  ),
  { description: 'Event of the next page to wait for' },
);
const automatic = where({ scrollingMode: ['automatic'] });
const manual = where({ scrollingMode: ['manual'] });

const distances = (name: string, displayName: string, group: string, description: string): NodeProperty => ({
  displayName,
  name,
  type: 'fixedCollection',
  default: {},
  description,
  options: [
    {
      name: group,
      displayName,
      values: [text('yAxis', 'Vertically', description), text('xAxis', 'Horizontally', description)],
    },
  ],
  ...manual,
});

/** https://docs.airtop.ai/api-reference/airtop-api/windows/click */
export const interaction: Resource = {
  displayName: 'Interaction',
  operations: {
    click: {
      displayName: 'Click an Element',
      description: 'Clicks an element of a page',
      properties: [
        ...windowIds,
        element,
        choice(
          'clickType',
          'Click Type',
          choices(['click', 'Left Click'], ['doubleClick', 'Double Click'], ['rightClick', 'Right Click']),
        ),
        more(visualScope, waits),
      ],
      run: (item) =>
        interact(
          item,
          '/click',
          { elementDescription: item.required('elementDescription') },
          {
            clickType: item.text('clickType', 'click'),
          },
        ),
    },
    hover: {
      displayName: 'Hover on an Element',
      description: 'Moves the mouse to an element of a page',
      properties: [...windowIds, element, more(visualScope, waits)],
      run: (item) => interact(item, '/hover', { elementDescription: item.required('elementDescription') }),
    },
    scroll: {
      displayName: 'Scroll',
      description: 'Scrolls a page, or a part of it',
      properties: [
        ...windowIds,
        choice('scrollingMode', 'Scrolling Mode', choices(['automatic', 'Automatic', 'To an element'], ['manual', 'Manual'])),
        text('scrollToElement', 'Element Description', 'The element, in words', { required: true, ...automatic }),
        distances('scrollToEdge', 'Scroll To Page Edges', 'edgeValues', '`top`, `bottom`, `left`, or `right`'),
        distances('scrollBy', 'Scroll By', 'scrollValues', 'Pixels or a share, such as `200px` or `-50%`'),
        text('scrollWithin', 'Scroll Area', 'The part of the page to scroll, in words', manual),
        more(visualScope),
      ],
      run: (item) => interact(item, '/scroll', scrollOf(item)),
    },
    type: {
      displayName: 'Type',
      description: 'Types text into an element of a page',
      properties: [
        ...windowIds,
        text('text', 'Text', 'The text', { required: true }),
        toggle('pressEnterKey', 'Press Enter Key', 'Whether to press Enter after the text'),
        text('elementDescription', 'Element Description', 'The element, in words; default: the one with the focus'),
        more(toggle('clearInputField', 'Clear Input Field', 'Whether to remove the present text'), visualScope, waits),
      ],
      run: (item) =>
        interact(
          item,
          '/type',
          filledFields({
            text: item.required('text'),
            pressEnterKey: item.toggle('pressEnterKey'),
            clearInputField: item.toggle('additionalFields.clearInputField') || undefined,
            elementDescription: item.optional('elementDescription'),
          }),
        ),
    },
  },
};

function interact(item: ServiceItem, path: string, members: JsonObject, settings: JsonObject = {}): Promise<JsonObject> {
  const ids = windowOf(item);
  const scope = item.optional('additionalFields.visualScope');
  const event = item.optional('additionalFields.waitForNavigation');
  const configuration = {
    ...settings,
    ...(scope !== undefined && { visualAnalysis: { scope } }),
    ...(event !== undefined && { waitForNavigationConfig: { waitUntil: event } }),
  };
  const json = {
    ...members,
    ...(event !== undefined && { waitForNavigation: true }),
    ...(Object.keys(configuration).length > 0 && { configuration }),
  };
  return ask(item, ids, { path: windowPath(ids, path), json });
}

function scrollOf(item: ServiceItem): JsonObject {
  if (item.text('scrollingMode', 'automatic') === 'automatic') return { scrollToElement: item.required('scrollToElement') };
  const edges = item.fields('scrollToEdge.edgeValues');
  const distance = item.fields('scrollBy.scrollValues');
  if (Object.keys(edges).length + Object.keys(distance).length === 0)
    throw item.error('the page has nowhere to scroll to', 'Set "Scroll To Page Edges" or "Scroll By"');
  return {
    ...(Object.keys(edges).length > 0 && { scrollToEdge: edges }),
    ...(Object.keys(distance).length > 0 && { scrollBy: distance }),
    ...filledFields({ scrollWithin: item.optional('scrollWithin') }),
  };
}
