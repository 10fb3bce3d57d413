import type { NodeProperty } from '@sluice/node-sdk';
import { atLeast, choice, choices, list, number, text, toggle, where } from '../../shared/properties.ts';

const updating = where({ paginationMode: ['updateAParameterInEachRequest'] });
const following = where({ paginationMode: ['responseContainsNextURL'] });
const paging = where({ paginationMode: ['updateAParameterInEachRequest', 'responseContainsNextURL'] });

const values: readonly NodeProperty[] = [
  choice(
    'paginationMode',
    'Pagination Mode',
    choices(
      ['off', 'Off'],
      ['updateAParameterInEachRequest', 'Update a Parameter in Each Request'],
      ['responseContainsNextURL', 'Response Contains Next URL'],
    ),
    { default: 'updateAParameterInEachRequest' },
  ),
  text(
    'nextURL',
    'Next URL',
    'An expression over `$response`, `$request`, and `$pageCount`; an empty result means that this is the last page',
    following,
  ),
  list(
    'parameters',
    'Parameters',
    'parameters',
    [
      choice('type', 'Type', choices(['body', 'Body'], ['headers', 'Header'], ['qs', 'Query']), { default: 'qs' }),
      text('name', 'Name', 'Name of the value to change'),
      text(
        'value',
        'Value',
        'An expression over `$response`, `$request`, and `$pageCount`; without a value, nothing is changed',
      ),
    ],
    updating,
  ),
  choice(
    'paginationCompleteWhen',
    'Pagination Complete When',
    choices(
      ['responseIsEmpty', 'Response Is Empty'],
      ['receiveSpecificStatusCodes', 'Receive Specific Status Code(s)'],
      ['other', 'Other'],
    ),
    paging,
  ),
  text('statusCodesWhenComplete', 'Status Code(s) When Complete', 'Separated by commas; such a response yields no item', {
    ...where({ paginationCompleteWhen: ['receiveSpecificStatusCodes'] }),
  }),
  text('completeExpression', 'Complete Expression', 'True for the last page', {
    ...where({ paginationCompleteWhen: ['other'] }),
  }),
  toggle('limitPagesFetched', 'Limit Pages Fetched', 'Whether there is a limit below 10,000 requests for an item', paging),
  atLeast(
    0,
    number('maxRequests', 'Max Pages', 100, 'Maximum number of requests for an item', where({ limitPagesFetched: [true] })),
  ),
  atLeast(0, number('requestInterval', 'Interval Between Requests (ms)', 0, 'Milliseconds between two pages', paging)),
];

/** The option that repeats a request for the pages of a list. */
export const paginationProperty: NodeProperty = {
  displayName: 'Pagination',
  name: 'pagination',
  type: 'fixedCollection',
  default: {},
  options: [{ name: 'pagination', displayName: 'Pagination', values }],
};
