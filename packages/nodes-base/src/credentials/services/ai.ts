import {
  type AuthenticateRequest,
  type CredentialType,
  credentialText,
  type JsonObject,
  optionalCredentialText,
  ownProperty,
  withHeaders,
} from '@sluice/node-sdk';
import { withoutFinalSlashes } from '../../shared/slashes.ts';
import { hostOfAddress } from '../shared/hosts-of-service.ts';
import { choice, flag, secret, text, wholeNumber } from '../shared/properties.ts';
import { addressIn, bearer, serviceType } from './service-type.ts';

const apiKey = secret('apiKey', 'API Key', { required: true });
const optionalApiKey = secret('apiKey', 'API Key');

/** Anthropic requires a version in each request; this is the default. */
const anthropicVersion = '2023-06-01';

const authenticateAnthropic: AuthenticateRequest = (request, data) => {
  const hasVersion = Object.keys(request.headers ?? {}).some((name) => name.toLowerCase() === 'anthropic-version');
  return withHeaders(request, [
    ['x-api-key', credentialText(data, 'apiKey')],
    ...(hasVersion ? [] : [['anthropic-version', anthropicVersion] as const]),
    ...(ownProperty(data, 'header') === true
      ? [[credentialText(data, 'headerName'), credentialText(data, 'headerValue')] as const]
      : []),
  ]);
};

/** Header with an optional key: self-hosted servers may need no key. */
function optionalKey(header: string, prefix = ''): AuthenticateRequest {
  return (request, data) => {
    const key = optionalCredentialText(data, 'apiKey');
    return key === '' ? request : withHeaders(request, [[header, `${prefix}${key}`]]);
  };
}

const anthropic = addressIn('url', 'https://api.anthropic.com');
const gemini = addressIn('host', 'https://generativelanguage.googleapis.com');
const openRouter = addressIn('url', 'https://openrouter.ai/api/v1');
const xAi = addressIn('url', 'https://api.x.ai/v1');
const vercel = addressIn('url', 'https://ai-gateway.vercel.sh/v1');
const ollama = addressIn('baseUrl', 'http://localhost:11434');
const qdrant = addressIn('qdrantUrl');
const searXng = addressIn('apiUrl');
const supabase = addressIn('host');

/**
 * Address of an Azure OpenAI resource: its endpoint, or the public address derived from its name.
 */
function azureAddress(data: JsonObject): string {
  const endpoint = withoutFinalSlashes(optionalCredentialText(data, 'endpoint'));
  return endpoint === '' ? `https://${optionalCredentialText(data, 'resourceName')}.openai.azure.com` : endpoint;
}

/** Address of a Weaviate Cloud cluster, or of a server of one's own. */
export function weaviateAddress(data: JsonObject): string {
  if (optionalCredentialText(data, 'connection_type', 'weaviate_cloud') === 'weaviate_cloud') {
    const endpoint = withoutFinalSlashes(optionalCredentialText(data, 'weaviate_cloud_endpoint').trim());
    return /^https?:\/\//.test(endpoint) ? endpoint : `https://${endpoint}`;
  }
  const scheme = ownProperty(data, 'custom_connection_http_secure') === true ? 'https' : 'http';
  const port = Number(ownProperty(data, 'custom_connection_http_port') ?? 8080);
  return `${scheme}://${optionalCredentialText(data, 'custom_connection_http_host').trim()}:${port}`;
}

const inCloud = { show: { connection_type: ['weaviate_cloud'] } };
const onServer = { show: { connection_type: ['custom_connection'] } };

/** Credential types of models, vector stores, and agent tools. */
export const aiTypes: readonly CredentialType[] = [
  serviceType({
    name: 'anthropicApi',
    displayName: 'Anthropic',
    documentation: 'https://docs.claude.com/en/api/overview',
    properties: [
      apiKey,
      text('url', 'Base URL', { initial: 'https://api.anthropic.com' }),
      flag('header', 'Add Custom Header'),
      text('headerName', 'Header Name', { required: true, show: { header: [true] } }),
      secret('headerValue', 'Header Value', { required: true, show: { header: [true] } }),
    ],
    authenticate: authenticateAnthropic,
    hosts: anthropic.hosts,
    test: anthropic.at('/v1/models'),
  }),
  serviceType({
    name: 'googlePalmApi',
    displayName: 'Google Gemini (PaLM)',
    documentation: 'https://ai.google.dev/gemini-api/docs/api-key',
    properties: [text('host', 'Host', { initial: 'https://generativelanguage.googleapis.com' }), apiKey],
    authenticate: { headers: { 'x-goog-api-key': '{apiKey}' } },
    hosts: gemini.hosts,
    test: gemini.at('/v1beta/models'),
  }),
  serviceType({
    name: 'azureOpenAiApi',
    displayName: 'Azure OpenAI',
    documentation: 'https://learn.microsoft.com/azure/ai-foundry/openai/reference',
    properties: [
      apiKey,
      text('resourceName', 'Resource Name', { required: true }),
      text('apiVersion', 'API Version', { keepsSecrets: true, required: true, initial: '2025-03-01-preview' }),
      text('endpoint', 'Endpoint', { description: 'Default: `https://<resource name>.openai.azure.com`' }),
    ],
    authenticate: { headers: { 'api-key': '{apiKey}' } },
    hosts: (data) => hostOfAddress(azureAddress(data)),
    test: (data) =>
      `${azureAddress(data)}/openai/models?api-version=${encodeURIComponent(optionalCredentialText(data, 'apiVersion', '2025-03-01-preview'))}`,
  }),
  serviceType({
    name: 'openRouterApi',
    displayName: 'OpenRouter',
    documentation: 'https://openrouter.ai/docs/api-reference/authentication',
    properties: [apiKey, text('url', 'Base URL', { initial: 'https://openrouter.ai/api/v1' })],
    authenticate: bearer('apiKey'),
    hosts: openRouter.hosts,
    test: openRouter.at('/key'),
  }),
  serviceType({
    name: 'xAiApi',
    displayName: 'xAI',
    documentation: 'https://docs.x.ai/docs/api-reference',
    properties: [apiKey, text('url', 'Base URL', { initial: 'https://api.x.ai/v1' })],
    authenticate: bearer('apiKey'),
    hosts: xAi.hosts,
    test: xAi.at('/models'),
  }),
  serviceType({
    name: 'vercelAiGatewayApi',
    displayName: 'Vercel AI Gateway',
    documentation: 'https://vercel.com/docs/ai-gateway/authentication',
    properties: [apiKey, text('url', 'Base URL', { initial: 'https://ai-gateway.vercel.sh/v1' })],
    authenticate: bearer('apiKey'),
    hosts: vercel.hosts,
    test: vercel.at('/credits'),
  }),
  serviceType({
    name: 'ollamaApi',
    displayName: 'Ollama',
    documentation: 'https://docs.ollama.com/api/authentication',
    properties: [text('baseUrl', 'Base URL', { required: true, initial: 'http://localhost:11434' }), optionalApiKey],
    authenticate: optionalKey('authorization', 'Bearer '),
    hosts: ollama.hosts,
    test: ollama.at('/api/tags'),
  }),
  serviceType({
    name: 'groqApi',
    displayName: 'Groq',
    documentation: 'https://console.groq.com/docs/api-reference',
    properties: [apiKey],
    authenticate: bearer('apiKey'),
    hosts: ['api.groq.com'],
    test: 'https://api.groq.com/openai/v1/models',
  }),
  serviceType({
    name: 'mistralCloudApi',
    displayName: 'Mistral Cloud',
    documentation: 'https://docs.mistral.ai/api/',
    properties: [apiKey],
    authenticate: bearer('apiKey'),
    hosts: ['api.mistral.ai'],
    test: 'https://api.mistral.ai/v1/models',
  }),
  serviceType({
    name: 'deepSeekApi',
    displayName: 'DeepSeek',
    documentation: 'https://api-docs.deepseek.com/',
    properties: [apiKey],
    authenticate: bearer('apiKey'),
    hosts: ['api.deepseek.com'],
    test: 'https://api.deepseek.com/models',
  }),
  serviceType({
    name: 'cohereApi',
    displayName: 'Cohere',
    documentation: 'https://docs.cohere.com/reference/about',
    properties: [apiKey],
    authenticate: bearer('apiKey'),
    hosts: ['api.cohere.com', 'api.cohere.ai'],
    test: 'https://api.cohere.com/v1/models?page_size=1',
  }),
  serviceType({
    name: 'perplexityApi',
    displayName: 'Perplexity',
    documentation: 'https://docs.perplexity.ai/getting-started/overview',
    properties: [apiKey],
    authenticate: bearer('apiKey'),
    hosts: ['api.perplexity.ai'],
    test: 'https://api.perplexity.ai/async/chat/completions',
  }),
  serviceType({
    name: 'huggingFaceApi',
    displayName: 'Hugging Face',
    documentation: 'https://huggingface.co/docs/hub/security-tokens',
    properties: [apiKey],
    authenticate: bearer('apiKey'),
    hosts: ['huggingface.co', '*.huggingface.co'],
    test: 'https://huggingface.co/api/whoami-v2',
  }),
  serviceType({
    name: 'jinaAiApi',
    displayName: 'Jina AI',
    documentation: 'https://jina.ai/reader',
    properties: [apiKey],
    authenticate: bearer('apiKey'),
    hosts: ['*.jina.ai'],
    test: 'https://r.jina.ai/https://example.com/',
  }),
  serviceType({
    name: 'pineconeApi',
    displayName: 'Pinecone',
    documentation: 'https://docs.pinecone.io/reference/api/authentication',
    properties: [apiKey],
    authenticate: { headers: { 'Api-Key': '{apiKey}' } },
    hosts: ['api.pinecone.io', '*.pinecone.io'],
    test: 'https://api.pinecone.io/indexes',
  }),
  serviceType({
    name: 'qdrantApi',
    displayName: 'Qdrant',
    documentation: 'https://qdrant.tech/documentation/guides/security/',
    properties: [optionalApiKey, text('qdrantUrl', 'Qdrant URL', { required: true })],
    authenticate: optionalKey('api-key'),
    hosts: qdrant.hosts,
    test: qdrant.at('/collections'),
  }),
  serviceType({
    name: 'weaviateApi',
    displayName: 'Weaviate',
    documentation: 'https://docs.weaviate.io/weaviate/connections',
    properties: [
      choice('connection_type', 'Connection Type', [
        ['weaviate_cloud', 'Weaviate Cloud'],
        ['custom_connection', 'Custom Connection'],
      ]),
      text('weaviate_cloud_endpoint', 'Weaviate Cloud Endpoint', { required: true, ...inCloud }),
      secret('weaviate_api_key', 'Weaviate API Key'),
      text('custom_connection_http_host', 'HTTP Host', { required: true, ...onServer }),
      wholeNumber('custom_connection_http_port', 'HTTP Port', 8080, [1, 65_535], onServer),
      flag('custom_connection_http_secure', 'HTTP Secure', onServer),
    ],
    authenticate: (request, data) => {
      const key = optionalCredentialText(data, 'weaviate_api_key');
      return key === '' ? request : withHeaders(request, [['authorization', `Bearer ${key}`]]);
    },
    hosts: (data) => hostOfAddress(weaviateAddress(data)),
    test: (data) => `${weaviateAddress(data)}/v1/schema`,
  }),
  serviceType({
    name: 'supabaseApi',
    displayName: 'Supabase',
    documentation: 'https://supabase.com/docs/guides/api/api-keys',
    properties: [
      text('host', 'Host', { required: true, description: 'Project URL: `https://<project>.supabase.co`' }),
      secret('serviceRole', 'Service Role Secret', { required: true }),
    ],
    authenticate: { headers: { apikey: '{serviceRole}', Authorization: 'Bearer {serviceRole}' } },
    hosts: supabase.hosts,
    test: supabase.at('/rest/v1/'),
  }),
  serviceType({
    name: 'searXngApi',
    displayName: 'SearXNG',
    documentation: 'https://docs.searxng.org/admin/index.html',
    properties: [text('apiUrl', 'API URL', { required: true })],
    // An instance needs no key; requests are limited to its host.
    authenticate: (request) => request,
    hosts: searXng.hosts,
    test: searXng.at('/search?q=test&format=json'),
  }),
  serviceType({
    name: 'serpApi',
    displayName: 'SerpApi',
    documentation: 'https://serpapi.com/search-api',
    properties: [apiKey],
    authenticate: { query: { api_key: '{apiKey}' } },
    hosts: ['serpapi.com'],
    test: 'https://serpapi.com/account.json',
  }),
  serviceType({
    name: 'wolframAlphaApi',
    displayName: 'Wolfram Alpha',
    documentation: 'https://products.wolframalpha.com/api/documentation',
    properties: [secret('appId', 'App ID', { required: true })],
    authenticate: { query: { appid: '{appId}' } },
    hosts: ['api.wolframalpha.com', 'www.wolframalpha.com'],
    test: 'https://api.wolframalpha.com/v1/result?i=1%2B1',
  }),
];
