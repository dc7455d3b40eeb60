import { Catch, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError, type ErrorCode } from '../../domain/errors.js';
import { textIn } from '../../domain/locale.js';
import { preferredLocale } from '../auth/authenticate.js';

const log = new Logger('HTTP');

const statuses: Readonly<Record<ErrorCode, number>> = {
  INVALID_INPUT: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  LIMIT_EXCEEDED: 413,
};

/** Errors of what is no GraphQL, as `{ code, message }`: a DomainError in the caller's language, anything else as a bug. */
@Catch()
export class HttpErrorFilter implements ExceptionFilter {
  async catch(error: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const reply = http.getResponse<FastifyReply>();
    if (reply.raw.headersSent) {
      // An answer that breaks off is seen as broken only where the connection does too
      reply.raw.destroy();
      return;
    }
    const locale = preferredLocale(http.getRequest<FastifyRequest>().headers['accept-language']) ?? 'EN';
    // Headers of the answer that was not to be
    for (const name of Object.keys(reply.getHeaders())) reply.removeHeader(name);
    if (error instanceof DomainError) {
      await reply.code(statuses[error.code]).send({ code: error.code, message: textIn(error.text, locale) });
      return;
    }
    log.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
    const message = textIn({ en: 'Something went wrong in the service', zh: '服务内部出错' }, locale);
    await reply.code(500).send({ code: 'INTERNAL_SERVER_ERROR', message });
  }
}
