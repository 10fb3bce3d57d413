import type { NodeType } from '@sluice/node-sdk';
import { aggregate } from './nodes/aggregate/aggregate.ts';
import { aiTransform } from './nodes/ai-transform/ai-transform.ts';
import { amqp } from './nodes/amqp/amqp.ts';
import { amqpTrigger } from './nodes/amqp-trigger/amqp-trigger.ts';
import { awsS3 } from './nodes/aws-s3/aws-s3.ts';
import { code } from './nodes/code/code.ts';
import { compareDatasets } from './nodes/compare-datasets/compare-datasets.ts';
import { compression } from './nodes/compression/compression.ts';
import { convertToFile } from './nodes/convert-to-file/convert-to-file.ts';
import { cron } from './nodes/cron/cron.ts';
import { crypto } from './nodes/crypto/crypto.ts';
import { dataTable } from './nodes/data-table/data-table.ts';
import { dateTime } from './nodes/date-time/date-time.ts';
import { debugHelper } from './nodes/debug-helper/debug-helper.ts';
import { editImage } from './nodes/edit-image/edit-image.ts';
import { emailReadImap } from './nodes/email-read-imap/email-read-imap.ts';
import { errorTrigger } from './nodes/error-trigger/error-trigger.ts';
import { executeCommand } from './nodes/execute-command/execute-command.ts';
import { executeWorkflow } from './nodes/execute-workflow/execute-workflow.ts';
import { executeWorkflowTrigger } from './nodes/execute-workflow-trigger/execute-workflow-trigger.ts';
import { executionData } from './nodes/execution-data/execution-data.ts';
import { extractFromFile } from './nodes/extract-from-file/extract-from-file.ts';
import { filter } from './nodes/filter/filter.ts';
import { form } from './nodes/form/form.ts';
import { formTrigger } from './nodes/form-trigger/form-trigger.ts';
import { ftp } from './nodes/ftp/ftp.ts';
import { functionNode } from './nodes/function/function.ts';
import { functionItem } from './nodes/function-item/function-item.ts';
import { graphql } from './nodes/graphql/graphql.ts';
import { html } from './nodes/html/html.ts';
import { htmlExtract } from './nodes/html-extract/html-extract.ts';
import { httpRequest } from './nodes/http-request/http-request.ts';
import { iCal } from './nodes/i-cal/i-cal.ts';
import { ifNode } from './nodes/if/if.ts';
import { interval } from './nodes/interval/interval.ts';
import { itemLists } from './nodes/item-lists/item-lists.ts';
import { jwt } from './nodes/jwt/jwt.ts';
import { kafka } from './nodes/kafka/kafka.ts';
import { kafkaTrigger } from './nodes/kafka-trigger/kafka-trigger.ts';
import { limit } from './nodes/limit/limit.ts';
import { localFileTrigger } from './nodes/local-file-trigger/local-file-trigger.ts';
import { manualTrigger } from './nodes/manual-trigger/manual-trigger.ts';
import { markdown } from './nodes/markdown/markdown.ts';
import { merge } from './nodes/merge/merge.ts';
import { mongoDb } from './nodes/mongo-db/mongo-db.ts';
import { moveBinaryData } from './nodes/move-binary-data/move-binary-data.ts';
import { mqtt } from './nodes/mqtt/mqtt.ts';
import { mqttTrigger } from './nodes/mqtt-trigger/mqtt-trigger.ts';
import { mySql } from './nodes/my-sql/my-sql.ts';
import { n8nTrainingCustomerDatastore } from './nodes/n8n-training-customer-datastore/n8n-training-customer-datastore.ts';
import { n8nTrainingCustomerMessenger } from './nodes/n8n-training-customer-messenger/n8n-training-customer-messenger.ts';
import { n8nTrigger } from './nodes/n8n-trigger/n8n-trigger.ts';
import { noOp } from './nodes/no-op/no-op.ts';
import { postgres } from './nodes/postgres/postgres.ts';
import { postgresTrigger } from './nodes/postgres-trigger/postgres-trigger.ts';
import { rabbitmq } from './nodes/rabbitmq/rabbitmq.ts';
import { rabbitmqTrigger } from './nodes/rabbitmq-trigger/rabbitmq-trigger.ts';
import { readBinaryFile } from './nodes/read-binary-file/read-binary-file.ts';
import { readBinaryFiles } from './nodes/read-binary-files/read-binary-files.ts';
import { readPdf } from './nodes/read-pdf/read-pdf.ts';
import { readWriteFile } from './nodes/read-write-file/read-write-file.ts';
import { redis } from './nodes/redis/redis.ts';
import { redisTrigger } from './nodes/redis-trigger/redis-trigger.ts';
import { removeDuplicates } from './nodes/remove-duplicates/remove-duplicates.ts';
import { renameKeys } from './nodes/rename-keys/rename-keys.ts';
import { respondToWebhook } from './nodes/respond-to-webhook/respond-to-webhook.ts';
import { rssFeedRead } from './nodes/rss-feed-read/rss-feed-read.ts';
import { rssFeedReadTrigger } from './nodes/rss-feed-read-trigger/rss-feed-read-trigger.ts';
import { s3 } from './nodes/s3/s3.ts';
import { scheduleTrigger } from './nodes/schedule-trigger/schedule-trigger.ts';
import { sendEmail } from './nodes/send-email/send-email.ts';
import { set } from './nodes/set/set.ts';
import { sort } from './nodes/sort/sort.ts';
import { splitInBatches } from './nodes/split-in-batches/split-in-batches.ts';
import { splitOut } from './nodes/split-out/split-out.ts';
import { spreadsheetFile } from './nodes/spreadsheet-file/spreadsheet-file.ts';
import { sseTrigger } from './nodes/sse-trigger/sse-trigger.ts';
import { ssh } from './nodes/ssh/ssh.ts';
import { stopAndError } from './nodes/stop-and-error/stop-and-error.ts';
import { summarize } from './nodes/summarize/summarize.ts';
import { switchNode } from './nodes/switch/switch.ts';
import { totp } from './nodes/totp/totp.ts';
import { wait } from './nodes/wait/wait.ts';
import { webhook } from './nodes/webhook/webhook.ts';
import { workflowTrigger } from './nodes/workflow-trigger/workflow-trigger.ts';
import { writeBinaryFile } from './nodes/write-binary-file/write-binary-file.ts';
import { xml } from './nodes/xml/xml.ts';
import { offLoop } from './off-loop/off-loop.ts';

const types: readonly NodeType[] = [
  manualTrigger,
  webhook,
  respondToWebhook,
  formTrigger,
  form,
  scheduleTrigger,
  cron,
  interval,
  rssFeedReadTrigger,
  emailReadImap,
  postgresTrigger,
  redisTrigger,
  mqttTrigger,
  rabbitmqTrigger,
  amqpTrigger,
  kafkaTrigger,
  sseTrigger,
  localFileTrigger,
  noOp,
  set,
  ifNode,
  merge,
  wait,
  executeWorkflow,
  executeWorkflowTrigger,
  errorTrigger,
  workflowTrigger,
  n8nTrigger,
  code,
  aiTransform,
  httpRequest,
  graphql,
  rssFeedRead,
  sendEmail,
  stopAndError,
  filter,
  switchNode,
  splitInBatches,
  splitOut,
  aggregate,
  summarize,
  sort,
  limit,
  removeDuplicates,
  itemLists,
  compareDatasets,
  renameKeys,
  dataTable,
  dateTime,
  crypto,
  jwt,
  totp,
  debugHelper,
  n8nTrainingCustomerDatastore,
  n8nTrainingCustomerMessenger,
  editImage,
  executeCommand,
  html,
  htmlExtract,
  markdown,
  xml,
  functionNode,
  functionItem,
  postgres,
  redis,
  mySql,
  mongoDb,
  ftp,
  ssh,
  s3,
  awsS3,
  mqtt,
  rabbitmq,
  amqp,
  kafka,
  executionData,
  extractFromFile,
  convertToFile,
  readWriteFile,
  spreadsheetFile,
  moveBinaryData,
  compression,
  readBinaryFile,
  readBinaryFiles,
  writeBinaryFile,
  readPdf,
  iCal,
];

/** Every node type of this package. */
export const baseNodeTypes: readonly NodeType[] = types.map(offLoop);
