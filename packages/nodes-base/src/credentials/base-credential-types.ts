import type { CredentialType } from '@sluice/node-sdk';
import { airtableTokenApi } from './airtable-token-api.ts';
import { amqp } from './amqp.ts';
import { aws } from './aws.ts';
import { azureStorage } from './azure-storage.ts';
import { crypto } from './crypto.ts';
import { ftp } from './ftp.ts';
import { githubApi } from './github-api.ts';
import { googleApi } from './google-api.ts';
import { httpBasicAuth } from './http-basic-auth.ts';
import { httpBearerAuth } from './http-bearer-auth.ts';
import { httpCustomAuth } from './http-custom-auth.ts';
import { httpDigestAuth } from './http-digest-auth.ts';
import { httpHeaderAuth } from './http-header-auth.ts';
import { httpQueryAuth } from './http-query-auth.ts';
import { httpSslAuth } from './http-ssl-auth.ts';
import { imap } from './imap.ts';
import { jwtAuth } from './jwt-auth.ts';
import { kafka } from './kafka.ts';
import { mongoDb } from './mongo-db.ts';
import { mqtt } from './mqtt.ts';
import { mySql } from './my-sql.ts';
import { notionApi } from './notion-api.ts';
import { oAuth1Api } from './o-auth1-api.ts';
import { oAuth2Api } from './o-auth2-api.ts';
import { offLoop } from './off-loop.ts';
import { openAiApi } from './open-ai-api.ts';
import { postgres } from './postgres.ts';
import { rabbitmq } from './rabbitmq.ts';
import { redis } from './redis.ts';
import { s3 } from './s3.ts';
import { aiTypes } from './services/ai.ts';
import { googleTypes } from './services/google.ts';
import { keyTypes } from './services/keys.ts';
import { microsoftTypes } from './services/microsoft.ts';
import { oAuth2Types } from './services/oauth2.ts';
import { oAuth2SiteTypes } from './services/oauth2-sites.ts';
import { siteTypes } from './services/sites.ts';
import { tokenTypes } from './services/tokens.ts';
import { sftp } from './sftp.ts';
import { slackApi } from './slack-api.ts';
import { smtp } from './smtp.ts';
import { sshPassword, sshPrivateKey } from './ssh.ts';
import { telegramApi } from './telegram-api.ts';
import { totpApi } from './totp-api.ts';
import { webhookSignature } from './webhook-signature.ts';

/** Every credential type of this package. */
export const baseCredentialTypes: readonly CredentialType[] = [
  httpBasicAuth,
  httpBearerAuth,
  httpCustomAuth,
  httpDigestAuth,
  httpHeaderAuth,
  httpQueryAuth,
  httpSslAuth,
  oAuth1Api,
  oAuth2Api,
  jwtAuth,
  totpApi,
  crypto,
  webhookSignature,
  postgres,
  mySql,
  mongoDb,
  redis,
  smtp,
  imap,
  ftp,
  sftp,
  sshPassword,
  sshPrivateKey,
  mqtt,
  rabbitmq,
  amqp,
  kafka,
  aws,
  s3,
  googleApi,
  azureStorage,
  slackApi,
  telegramApi,
  githubApi,
  notionApi,
  airtableTokenApi,
  openAiApi,
  ...aiTypes,
  ...tokenTypes,
  ...keyTypes,
  ...siteTypes,
  ...googleTypes,
  ...microsoftTypes,
  ...oAuth2Types,
  ...oAuth2SiteTypes,
].map(offLoop);
