export type {
  CallAuthentication,
  WebhookAnswer,
  WebhookBody,
  WebhookFiles,
  WebhookResponse,
  WebhookTrigger,
} from '@sluice/domain';
