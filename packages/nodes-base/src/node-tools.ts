/** Functions of this package that node types of other packages use. */

export { type OpenMongo, openMongo } from './clients/mongo-client.ts';
export { openRedis } from './clients/redis-client.ts';
export { weaviateAddress } from './credentials/services/ai.ts';
export { deepLHost } from './credentials/services/keys.ts';
export { odooDatabase } from './credentials/services/sites.ts';
export { docxText, readCsvFile, readPdfPages } from './formats/whole-files.ts';
export { mailContent } from './nodes/email-read-imap/mail-item.ts';
export { mappedValues } from './nodes/execute-workflow/call-input.ts';
export { workflowFor } from './nodes/execute-workflow/call-workflows.ts';
export { textReader } from './nodes/html/html-text.ts';
export { selectorError } from './nodes/html/selector-error.ts';
export { optimizeProperties } from './nodes/http-request/optimize-properties.ts';
export { optimizedResponse, optimizedType } from './nodes/http-request/optimized-response.ts';
export { documentToJson } from './nodes/mongo-db/bson-values.ts';
export { openPostgresSession } from './nodes/postgres/postgres-session.ts';
export { addressList, attachedFiles } from './nodes/send-email/read-message.ts';
export { binaryOf, filesOf, folderOf, openBinary, readBinary, storeBinaryByType, withFile } from './shared/binary-files.ts';
export { maxResultBytes, meterStream } from './shared/byte-budget.ts';
export { coercedText, stringOf } from './shared/coerced-text.ts';
export { composeMail } from './shared/compose-mail.ts';
export { connectionFailed } from './shared/connection-failed.ts';
export { convertValue } from './shared/convert-value.ts';
export { dateOf, durationOf } from './shared/durations.ts';
export { escapeHtml } from './shared/escape-html.ts';
export { setOwn } from './shared/field-path.ts';
export { everyItemPasses } from './shared/filter/condition-properties.ts';
export { Filter } from './shared/filter/filter.ts';
export { guardChoice, guardNames } from './shared/guards.ts';
export { assertPlainPath } from './shared/http/assert-plain-path.ts';
export { itemError } from './shared/http/item-error.ts';
export { type FormPart, multipartBody } from './shared/http/multipart-body.ts';
export { responseFileName } from './shared/http/response-file-name.ts';
export { parseJsonText } from './shared/json-file.ts';
export { type LocalTime, localTime } from './shared/local-time.ts';
export { isLostConnection, lostConnection } from './shared/lost-connection.ts';
export { checkedPage } from './shared/page-length.ts';
export * from './shared/parameters.ts';
export { parseDate } from './shared/parse-date.ts';
export { parseHtml } from './shared/parse-html.ts';
export { pause } from './shared/pause.ts';
export { failureOfAllOrThrow, mapItemsAsync } from './shared/per-item-async.ts';
export * from './shared/properties.ts';
export { readDate } from './shared/read-date.ts';
export { readServiceXml } from './shared/read-service-xml.ts';
export {
  answeredItems,
  type Question,
  questionHtml,
  questionOf,
  questionText,
  type ResponseLink,
} from './shared/send-and-wait.ts';
export { sendAndWaitProperties } from './shared/send-and-wait-properties.ts';
export { withoutFinalSlashes } from './shared/slashes.ts';
export { webhookAuthentication } from './shared/webhook-requests.ts';
export type { ThreadTask } from './threads/thread-messages.ts';
export { runOnThread, runUnlessSmall, type TaskOptions, taskModule } from './threads/work-threads.ts';
