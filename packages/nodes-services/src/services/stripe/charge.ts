import { atLeast, choice, choices, collection, number, text } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { change, listed, pathOf, remove } from './stripe-client.ts';
import { currency, customerId, id, listProperties, membersOf, metadata, shipping } from './stripe-properties.ts';

const amount = atLeast(
  0,
  number('amount', 'Amount', 0, 'Amount in the smallest unit of the currency: 1000 is 10.00 EUR', { required: true }),
);

/** https://docs.stripe.com/api/balance */
export const balance: Resource = {
  displayName: 'Balance',
  operations: {
    get: {
      displayName: 'Get',
      description: 'Gets the balance of the account',
      properties: [],
      run: (item) => item.send({ path: '/balance' }),
    },
  },
};

const chargeId = id('chargeId', 'Charge ID', 'ID of the charge, such as `ch_…`');
const chargeFields = [
  text('description', 'Description', 'Text about the charge'),
  metadata,
  text('receipt_email', 'Receipt Email', 'Address that the receipt is sent to'),
  shipping,
];

/** https://docs.stripe.com/api/charges */
export const charge: Resource = {
  displayName: 'Charge',
  initial: 'get',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Charges a customer, at most once for an item of an execution',
      properties: [
        customerId,
        amount,
        currency,
        text('source', 'Source ID', 'ID of the card or source of the customer; default: the default one'),
        collection('additionalFields', 'Additional Fields', chargeFields),
      ],
      run: (item) =>
        change(item, '/charges', {
          customer: item.required('customerId'),
          amount: item.number('amount', 0),
          currency: item.required('currency').toLowerCase(),
          source: item.optional('source'),
          ...membersOf(item, 'additionalFields'),
        }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a charge',
      properties: [chargeId],
      run: (item) => item.send({ path: pathOf(item, 'charges', 'chargeId') }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists charges, the newest first',
      properties: listProperties,
      run: (item) => listed(item, '/charges'),
    },
    update: {
      displayName: 'Update',
      description: 'Changes a charge',
      properties: [chargeId, collection('updateFields', 'Update Fields', chargeFields)],
      run: (item) => change(item, pathOf(item, 'charges', 'chargeId'), membersOf(item, 'updateFields')),
    },
  },
};

const isOf = (type: string) => ({ displayOptions: { show: { type: [type] } } });

/** https://docs.stripe.com/api/coupons */
export const coupon: Resource = {
  displayName: 'Coupon',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a coupon',
      properties: [
        choice('duration', 'Apply', choices(['forever', 'Forever'], ['once', 'Once'])),
        choice('type', 'Discount Type', choices(['fixedAmount', 'Fixed Amount'], ['percent', 'Percent']), {
          default: 'percent',
        }),
        number('amountOff', 'Amount Off', 0, 'Discount in the smallest unit of the currency', isOf('fixedAmount')),
        { ...currency, ...isOf('fixedAmount') },
        number('percentOff', 'Percent Off', 1, 'Discount in percent', isOf('percent')),
      ],
      run: (item) => {
        const isFixed = item.text('type', 'percent') === 'fixedAmount';
        return change(item, '/coupons', {
          duration: item.text('duration', 'forever'),
          ...(isFixed
            ? { amount_off: item.number('amountOff', 0), currency: item.required('currency').toLowerCase() }
            : { percent_off: item.number('percentOff', 1) }),
        });
      },
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists coupons',
      properties: listProperties,
      run: (item) => listed(item, '/coupons'),
    },
  },
};

const sourceId = id('sourceId', 'Source ID', 'ID of the source, such as `src_…`');

/** https://docs.stripe.com/api/sources */
export const source: Resource = {
  displayName: 'Source',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a source',
      properties: [
        choice('type', 'Type', choices(['wechat', 'WeChat'])),
        amount,
        currency,
        collection('additionalFields', 'Additional Fields', [
          metadata,
          text('statement_descriptor', 'Statement Descriptor', 'Text on the statement of the customer'),
        ]),
      ],
      run: (item) =>
        change(item, '/sources', {
          type: item.text('type', 'wechat'),
          amount: item.number('amount', 0),
          currency: item.required('currency').toLowerCase(),
          ...membersOf(item, 'additionalFields'),
        }),
    },
    delete: {
      displayName: 'Delete',
      description: 'Removes a source from a customer',
      properties: [customerId, sourceId],
      run: (item) => remove(item, pathOf(item, 'customers', 'customerId', pathOf(item, 'sources', 'sourceId'))),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a source',
      properties: [sourceId],
      run: (item) => item.send({ path: pathOf(item, 'sources', 'sourceId') }),
    },
  },
};

/** https://docs.stripe.com/api/tokens */
export const token: Resource = {
  displayName: 'Token',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a card token, in test mode or with permission from Stripe to send card numbers',
      properties: [
        choice('type', 'Type', choices(['cardToken', 'Card Token'])),
        text('number', 'Card Number', 'Number of the card', { required: true }),
        text('expirationMonth', 'Expiration Month', 'Two digits of the month', { required: true }),
        text('expirationYear', 'Expiration Year', 'Two or four digits of the year', { required: true }),
        text('cvc', 'CVC', 'Security code of the card', { required: true }),
      ],
      run: (item) =>
        change(item, '/tokens', {
          card: {
            number: item.required('number'),
            exp_month: item.required('expirationMonth'),
            exp_year: item.required('expirationYear'),
            cvc: item.required('cvc'),
          },
        }),
    },
  },
};
