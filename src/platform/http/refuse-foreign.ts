import { BlockList, isIP } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { cutText } from '../../domain/cut-text.js';
import type { BothLanguages } from '../../domain/locale.js';
import { textIn } from '../../domain/locale.js';
import { preferredLocale } from '../auth/authenticate.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set on routes that take multipart/form-data. */
    takesFiles?: boolean;
  }
}

// Whoever reaches the service is its owner, and a browser on the same machine reaches it for any page that it shows. So
// a request must be meant for this machine (a foreign name in Host is one that an attacker let point here), come from no
// foreign page, and be of a content type that a page cannot send without asking first.

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

const multipart = /^multipart\/form-data\s*(;|$)/i;
const contentTypes = /^application\/(json|graphql|graphql\+json|graphql-response\+json)\s*(;|$)/i;

/** Refuses requests that another site may have made a browser send. */
export async function refuseForeign(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { origin, host, 'content-type': contentType } = request.headers;
  const isUpload = request.routeOptions.config.takesFiles === true && multipart.test(contentType ?? '');
  if (!isLocal(`http://${host ?? ''}`)) await refuse(request, reply, 403, foreign('Host', host));
  else if (origin !== undefined && !isLocal(origin)) await refuse(request, reply, 403, foreign('Origin', origin));
  else if (isUpload && !isMeant(request)) await refuse(request, reply, 403, unmarked);
  else if (request.method === 'POST' && !isUpload && !contentTypes.test(contentType ?? '')) {
    await refuse(request, reply, 415, {
      en: `The content type must be application/json, and is ${contentType ?? 'not given'}`,
      zh: `内容类型须为 application/json，现为 ${contentType ?? '未给出'}`,
    });
  }
}

/** A form of any page can send files, and no header of its own: that a page must ask for first, which nobody grants. */
function isMeant({ headers }: FastifyRequest): boolean {
  return headers['x-tunebook'] === '1' || /^Bearer ./i.test(headers.authorization ?? '');
}

const unmarked: BothLanguages = {
  en: 'An upload needs the header x-tunebook: 1, which no page of another site can send',
  zh: '上传文件须带请求头 x-tunebook: 1，其他网站的页面无法发送该请求头',
};

function foreign(header: string, value: string | undefined): BothLanguages {
  const shown = cutText(value ?? '', 200);
  return {
    en: `Only this machine is served: the header ${header} says "${shown}"`,
    zh: `仅为本机提供服务：请求头 ${header} 为“${shown}”`,
  };
}

function isLocal(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const name = new URL(url).hostname.replace(/^\[|\]$/g, '');
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  const version = isIP(name);
  return version !== 0 && loopback.check(name, version === 4 ? 'ipv4' : 'ipv6');
}

async function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  text: BothLanguages,
): Promise<void> {
  const message = textIn(text, preferredLocale(request.headers['accept-language']) ?? 'EN');
  const code = status === 403 ? 'FORBIDDEN' : 'INVALID_INPUT';
  // A connection that asked for WebSocket is nobody's once it is refused, and would keep the service from closing
  if (request.headers.upgrade !== undefined) reply.raw.once('finish', () => request.raw.socket.end());
  const isGraphql = request.routeOptions.url === '/graphql';
  const answer = isGraphql ? { data: null, errors: [{ message, extensions: { code } }] } : { code, message };
  await reply.code(status).send(answer);
}
