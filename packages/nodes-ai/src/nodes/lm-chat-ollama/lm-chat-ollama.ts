import { ollamaChatModel } from '../../shared/ollama-chat.ts';

export const lmChatOllama = ollamaChatModel('lm-chat-ollama', 'Ollama Chat Model');
