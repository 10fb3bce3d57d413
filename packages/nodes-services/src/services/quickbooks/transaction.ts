import { isJsonObject, type JsonObject, type JsonValue, TimeSlice } from '@sluice/node-sdk';
import { choice, choices, collection, list, names, text, toggle } from '@sluice/nodes-base/node-tools';
import type { Produced, Resource } from '../../shared/define-service.ts';
import { asText, objectOf, objectsOf, textOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

const range = (name: string, displayName: string, group: string, suffix: string) =>
  list(
    name,
    displayName,
    group,
    [
      text(`start_${suffix}`, 'Start Date', 'First day', { type: 'dateTime' }),
      text(`end_${suffix}`, 'End Date', 'Last day', { type: 'dateTime' }),
    ],
    { typeOptions: {} },
  );
const state = choices(['All', 'All'], ['Paid', 'Paid'], ['Unpaid', 'Unpaid']);

/**
 * https://developer.intuit.com/app/developer/qbo/docs/api/accounting/all-entities/transactionlist
 */
export const transaction: Resource = {
  displayName: 'Transaction',
  operations: {
    getReport: {
      displayName: 'Get Report',
      description: 'Returns the list of transactions',
      properties: [
        toggle('simple', 'Simplify', 'Whether to return an item for each transaction instead of the report', { default: true }),
        collection('filters', 'Filters', [
          choice('appaid', 'Accounts Payable Paid', state),
          choice('arpaid', 'Accounts Receivable Paid', state),
          choice(
            'cleared',
            'Cleared Status',
            choices(
              ['Cleared', 'Cleared'],
              ['Uncleared', 'Uncleared'],
              ['Reconciled', 'Reconciled'],
              ['Deposited', 'Deposited'],
            ),
          ),
          names('columns', 'Columns', 'Names of columns, such as `tx_date,doc_num`'),
          names('customer', 'Customers', 'IDs of customers'),
          range('dateRangeCustom', 'Date Range', 'dateRangeCustomProperties', 'date'),
          text('date_macro', 'Predefined Date Range', 'Range such as `This Month`'),
          range('dateRangeCreationCustom', 'Date Range of Creation', 'dateRangeCreationCustomProperties', 'createdate'),
          range('dateRangeDueCustom', 'Date Range of Due Dates', 'dateRangeDueCustomProperties', 'duedate'),
          range('dateRangeModificationCustom', 'Date Range of Changes', 'dateRangeModificationCustomProperties', 'moddate'),
          names('department', 'Departments', 'IDs of departments'),
          names('docnum', 'Document Numbers', 'Numbers of documents'),
          text('group_by', 'Group By', 'Field that groups transactions, such as `Customer`'),
          names('memo', 'Memos', 'Text of memos'),
          names('name', 'Names', 'IDs of customers, vendors, or employees'),
          names('payment_method', 'Payment Methods', 'Names of payment methods'),
          text('sort_by', 'Sort By', 'Column that orders transactions'),
          choice('sort_order', 'Sort Order', choices(['ascend', 'Ascending'], ['descend', 'Descending'])),
          text('source_account_type', 'Source Account Type', 'Type of the account, such as `Bank`'),
          names('term', 'Terms', 'IDs of payment terms'),
          text('transaction_type', 'Transaction Type', 'Type such as `Invoice`'),
          names('vendor', 'Vendors', 'IDs of vendors'),
        ]),
      ],
      run: report,
    },
  },
};

async function report(item: ServiceItem): Promise<Produced> {
  const body = await item.send({ path: '/reports/TransactionList', query: queryOf(item.fields('filters')) });
  return item.toggle('simple', true) ? rowsOf(objectOf(body)) : body;
}

/** Lists are comma-separated; groups of ranges are flattened, and their times are days. */
function queryOf(filters: JsonObject): Record<string, JsonValue> {
  const entries = Object.entries(filters).flatMap(([name, value]): [string, JsonValue][] => {
    if (Array.isArray(value)) return [[name, value.join()]];
    if (!isJsonObject(value)) return [[name, value]];
    const days = objectOf(Object.values(value)[0]);
    return Object.entries(days).map(([day, time]) => [day, asText(time).slice(0, 10)]);
  });
  return Object.fromEntries(entries);
}

/** Rows with the column titles; groups contain nested rows. */
async function rowsOf(body: JsonObject): Promise<JsonObject[]> {
  const titles = objectsOf(objectOf(body['Columns'])['Column']).map(({ ColTitle }) => textOf(ColTitle));
  const reportRows: JsonObject[] = [];
  const open = [objectsOf(objectOf(body['Rows'])['Row'])[Symbol.iterator]()];
  const slice = new TimeSlice();
  for (let rows = open.at(-1); rows; rows = open.at(-1)) {
    if (slice.isOver) await slice.next();
    const { value: row, done } = rows.next();
    if (done) open.pop();
    else if (row['ColData'] !== undefined) reportRows.push(rowOf(titles, objectsOf(row['ColData'])));
    else open.push(objectsOf(objectOf(row['Rows'])['Row'])[Symbol.iterator]());
  }
  return reportRows;
}

function rowOf(titles: readonly string[], cells: readonly JsonObject[]): JsonObject {
  return Object.fromEntries(titles.map((title, index): [string, JsonValue] => [title, cells[index]?.['value'] ?? '']));
}
