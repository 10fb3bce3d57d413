import { defineService } from '../../shared/define-service.ts';
import { balance, charge, coupon, source, token } from './charge.ts';
import { customer, customerCard } from './customer.ts';
import { invoice } from './invoice.ts';
import { stripeClient } from './stripe-client.ts';

export const stripe = defineService({
  displayName: 'Stripe',
  name: 'stripe',
  version: 1,
  description: 'Reads and changes customers, charges, and invoices in Stripe',
  credentials: [{ name: 'stripeApi', required: true }],
  icon: 'fa:credit-card',
  client: stripeClient,
  resources: { balance, charge, coupon, customer, customerCard, invoice, source, token },
});
