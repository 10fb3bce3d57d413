import type { Resource } from '../../shared/define-service.ts';
import { type Field, field } from './entity-fields.ts';
import { entityResource } from './entity-operations.ts';
import { expenseLines, salesLines } from './lines.ts';

const active = field('Active', 'Active', 'flag', { description: 'Whether the object is in use' });
const balance = field('Balance', 'Balance', 'number', { description: 'Opening balance, or the amount still to be paid' });
const billAddress = field('BillAddr', 'Billing Address', 'address');
const shipAddress = field('ShipAddr', 'Shipping Address', 'address');
const names: readonly Field[] = [
  field('CompanyName', 'Company Name'),
  field('FamilyName', 'Family Name'),
  field('GivenName', 'Given Name'),
  field('PrimaryEmailAddr', 'Primary Email Address', 'email'),
  field('PrimaryPhone', 'Primary Phone', 'phone'),
  field('PrintOnCheckName', 'Print-On-Check Name', 'text', { description: 'Name on printed checks' }),
];
const displayName = field('DisplayName', 'Display Name', 'text', {
  parameter: 'displayName',
  description: 'Name that is unique among customers, vendors, and employees',
});
const customer = field('CustomerRef', 'Customer', 'reference', { loads: 'getCustomers', description: 'ID of the customer' });
const currency = field('CurrencyRef', 'Currency', 'reference', { description: 'Code of the currency, such as `EUR`' });
const date = field('TxnDate', 'Transaction Date', 'date');
const dueDate = field('DueDate', 'Due Date', 'date');
const total = field('TotalAmt', 'Total Amount', 'number');
const note = field('PrivateNote', 'Private Note');
const term = field('SalesTermRef', 'Sales Term', 'reference', { loads: 'getTerms', description: 'ID of the payment term' });
const sale: readonly Field[] = [
  field('ApplyTaxAfterDiscount', 'Apply Tax After Discount', 'flag'),
  billAddress,
  field('BillEmail', 'Billing Email', 'email'),
  currency,
  field('CustomFields', 'Custom Fields', 'custom'),
  field('CustomerMemo', 'Customer Memo', 'memo', { description: 'Message to the customer' }),
  date,
  field('DocNumber', 'Document Number'),
  field('EmailStatus', 'Email Status', 'text', { values: ['NotSet', 'NeedToSend', 'EmailSent'] }),
  field('PrintStatus', 'Print Status', 'text', { values: ['NotSet', 'NeedToPrint', 'PrintComplete'] }),
  note,
  shipAddress,
  total,
  field('TxnTaxDetail', 'Total Tax', 'tax'),
];

export const resources: Readonly<Record<string, Resource>> = {
  bill: entityResource({
    name: 'Bill',
    what: 'bill',
    required: [field('VendorRef', 'For Vendor', 'reference', { loads: 'getVendors', description: 'ID of the vendor' })],
    fields: [
      field('APAccountRef', 'Accounts Payable Account', 'reference', {
        loads: 'getAccounts',
        description: 'ID of the account',
      }),
      balance,
      currency,
      dueDate,
      field('DocNumber', 'Document Number'),
      note,
      term,
      total,
      date,
    ],
    lines: { property: expenseLines, kind: 'ItemBasedExpenseLineDetail' },
    isSparse: false,
    operations: ['create', 'delete', 'get', 'getAll', 'update'],
  }),
  customer: entityResource({
    name: 'Customer',
    what: 'customer',
    required: [displayName],
    fields: [
      active,
      balance,
      field('BalanceWithJobs', 'Balance With Jobs', 'number'),
      billAddress,
      field('BillWithParent', 'Bill With Parent', 'flag', { description: 'Whether bills are sent to the parent customer' }),
      field('FullyQualifiedName', 'Fully Qualified Name'),
      ...names,
      field('Mobile', 'Mobile', 'phone'),
      field('Notes', 'Notes'),
      field('PreferredDeliveryMethod', 'Preferred Delivery Method', 'text', { values: ['None', 'Print', 'Email'] }),
      shipAddress,
      field('Taxable', 'Taxable', 'flag', { description: 'Whether sales to the customer are taxed' }),
      field('Title', 'Title'),
    ],
    operations: ['create', 'get', 'getAll', 'update'],
  }),
  employee: entityResource({
    name: 'Employee',
    what: 'employee',
    required: [field('FamilyName', 'Family Name'), field('GivenName', 'Given Name')],
    fields: [
      active,
      field('BillableTime', 'Billable Time', 'flag', { description: 'Whether hours of the employee are billed' }),
      field('DisplayName', 'Display Name'),
      field('PrimaryAddr', 'Address', 'address'),
      field('PrimaryEmailAddr', 'Primary Email Address', 'email'),
      field('PrimaryPhone', 'Primary Phone', 'phone'),
      field('PrintOnCheckName', 'Print-On-Check Name'),
      field('SSN', 'Social Security Number'),
    ],
    isSparse: false,
    operations: ['create', 'get', 'getAll', 'update'],
  }),
  estimate: entityResource({
    name: 'Estimate',
    what: 'estimate',
    required: [customer],
    fields: [...sale, field('TxnStatus', 'Status', 'text', { values: ['Pending', 'Accepted', 'Closed', 'Rejected'] })],
    lines: { property: salesLines, kind: 'SalesItemLineDetail' },
    hasPdf: true,
    operations: ['create', 'delete', 'get', 'getAll', 'send', 'update'],
  }),
  invoice: entityResource({
    name: 'Invoice',
    what: 'invoice',
    required: [customer],
    fields: [...sale, balance, field('Deposit', 'Deposit', 'number'), dueDate, term],
    lines: { property: salesLines, kind: 'SalesItemLineDetail' },
    hasPdf: true,
    operations: ['create', 'delete', 'get', 'getAll', 'send', 'update', 'void'],
    voids: { operation: 'void' },
  }),
  item: entityResource({ name: 'Item', what: 'item', operations: ['get', 'getAll'] }),
  payment: entityResource({
    name: 'Payment',
    what: 'payment',
    required: [customer, total],
    fields: [
      currency,
      field('DepositToAccountRef', 'Deposit to Account', 'reference', {
        loads: 'getAccounts',
        description: 'ID of the account',
      }),
      field('PaymentMethodRef', 'Payment Method', 'reference', {
        loads: 'getPaymentMethods',
        description: 'ID of the payment method',
      }),
      field('PaymentRefNum', 'Reference Number'),
      note,
      date,
    ],
    hasPdf: true,
    operations: ['create', 'delete', 'get', 'getAll', 'send', 'update', 'void'],
    voids: { operation: 'update', include: 'void' },
  }),
  purchase: entityResource({ name: 'Purchase', what: 'purchase', operations: ['get', 'getAll'] }),
  vendor: entityResource({
    name: 'Vendor',
    what: 'vendor',
    required: [displayName],
    fields: [
      field('AcctNum', 'Account Number'),
      active,
      balance,
      billAddress,
      ...names,
      field('Vendor1099', 'Vendor 1099', 'flag', { description: 'Whether the vendor gets a 1099 form' }),
    ],
    isSparse: false,
    operations: ['create', 'get', 'getAll', 'update'],
  }),
};
