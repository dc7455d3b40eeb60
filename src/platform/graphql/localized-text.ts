import { Args, Field, ObjectType, Parent, registerEnumType, ResolveField, Resolver } from '@nestjs/graphql';
import { z } from 'zod';
import { Locale } from '../../generated/prisma/enums.js';
import { isFallback, textIn, type LocalizedText as LocalizedTextValue } from '../../domain/locale.js';
import { CurrentViewer, type Viewer } from '../auth/viewer.js';

registerEnumType(Locale, {
  name: 'Locale',
  description: 'A language of content and messages',
  valuesMap: { EN: { description: 'English' }, ZH: { description: 'Simplified Chinese' } },
});

@ObjectType({ description: 'A text in one or both languages' })
export class LocalizedText implements LocalizedTextValue {
  @Field(() => String, { nullable: true, description: 'The English text' }) en!: string | null;
  @Field(() => String, { nullable: true, description: 'The text in Simplified Chinese' }) zh!: string | null;
}

@Resolver(() => LocalizedText)
export class LocalizedTextResolver {
  @ResolveField(() => String, {
    description: "The text in the language asked for, else in the viewer's, else in English",
  })
  text(
    @Parent() text: LocalizedText,
    @CurrentViewer() viewer: Viewer,
    @Args('locale', {
      type: () => Locale,
      nullable: true,
      description: "The language asked for; the viewer's where absent",
    })
    locale: Locale | null | undefined,
  ): string {
    return locale ? textIn(text, locale, viewer.locale) : textIn(text, viewer.locale);
  }

  @ResolveField(() => Boolean, { description: 'Whether `text` is not in the language asked for' })
  isFallback(
    @Parent() text: LocalizedText,
    @CurrentViewer() viewer: Viewer,
    @Args('locale', {
      type: () => Locale,
      nullable: true,
      description: "The language asked for; the viewer's where absent",
    })
    locale: Locale | null | undefined,
  ): boolean {
    return isFallback(text, locale ?? viewer.locale);
  }
}

const stored = z.object({ en: z.string().nullable().default(null), zh: z.string().nullable().default(null) });

/** Reads a text from its JSON column. */
export function toLocalizedText(json: unknown): LocalizedText {
  return stored.parse(json);
}
