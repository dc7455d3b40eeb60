import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Locale } from '../../domain/locale.js';
import { forbidden, unauthenticated } from '../../domain/errors.js';

/** Whoever is asking. `role` is the role in the organization; ANONYMOUS is nobody in particular. */
export interface Viewer {
  readonly id: string;
  readonly name: string;
  readonly locale: Locale;
  readonly role: 'ANONYMOUS' | 'MEMBER' | 'CATALOG_EDITOR' | 'ADMIN';
  /** Set on a machine that acts by a service token. */
  readonly tokenId?: string;
}

export const anonymous: Viewer = { id: 'anonymous', name: '', locale: 'EN', role: 'ANONYMOUS' };

/** What every GraphQL request carries; loaders live as long as this object. */
export interface RequestContext {
  readonly viewer: Viewer;
}

/** What a subscription carries: with each event loaders, and what is known of the viewer's rights, begin anew. */
export interface SubscriptionContext extends RequestContext {
  viewer: Viewer;
  event?: object;
}

/** The viewer of a GraphQL request, as a parameter of a resolver. */
export const CurrentViewer = createParamDecorator((_: unknown, context: ExecutionContext): Viewer => {
  const [, , request] = context.getArgs<[unknown, unknown, RequestContext]>();
  return request.viewer;
});

/** Refuses a viewer who is nobody in particular. */
export function requireSignedIn(viewer: Viewer): void {
  if (viewer.role === 'ANONYMOUS') {
    throw unauthenticated({ en: 'Sign in to do this', zh: '请先登录' });
  }
}

/** Refuses a machine too: what it may do is something in a project, and this is not. */
export function requirePerson(viewer: Viewer): void {
  requireSignedIn(viewer);
  if (viewer.tokenId !== undefined) {
    throw forbidden({ en: 'A service token cannot do this', zh: '服务令牌不能执行此操作' });
  }
}
