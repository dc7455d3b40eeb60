import { Injectable } from '@nestjs/common';
import { applicability, type Answer } from '../../domain/applicability/evaluate.js';
import { inKnownWords } from '../../domain/applicability/fact-values.js';
import { knownFacts, type Facts, type KnownFacts } from '../../domain/applicability/facts.js';
import { predicate as predicateShape, type Predicate } from '../../domain/applicability/predicate.js';
import { unknownKeys } from '../../domain/applicability/unknown-keys.js';
import type { DifferenceTier } from '../../domain/measurement/environment-diff.js';
import type { FactRules, NormalWords } from '../../domain/measurement/normal-facts.js';
import { Database } from '../../platform/database/database.js';
import { factsOf } from '../../platform/database/json.js';
import { readRegistry, type Registry } from './catalog.registry.js';
import type { Applicability, EnvironmentKey } from './catalog.types.js';

/** A hardware profile as the rules see it. */
interface Profile {
  readonly name: string;
  readonly isGeneric: boolean;
  readonly capabilities: readonly string[];
  readonly facts: unknown;
}

/** What is known of an environment: its own facts over those of its hardware. */
export function knownOf(profile: Profile | null, facts: Facts): KnownFacts {
  return knownFacts(profile && { ...profile, facts: factsOf(profile.facts) }, facts);
}

/** An answer of the rules as the API shows it. */
export function toApplicability({ answer, reasons, isPast }: Answer): Applicability {
  return { answer, reasons: reasons.slice(), isPast };
}

/** Answers questions about predicates without waiting, so that it can be asked within a transaction. */
export interface Rules {
  /** What the rules say of a predicate as it is stored. */
  readonly answer: (predicate: unknown, known: KnownFacts) => Answer;
  readonly registry: Registry;
}

/** Whether items apply to environments, by the keys and names of the content that is loaded. */
@Injectable()
export class RulesService {
  private registryRead: Promise<Registry> | null = null;

  constructor(private readonly db: Database) {}

  async rules(): Promise<Rules> {
    const registry = await this.registry();
    return {
      registry,
      answer: (predicate, known) => applicability(toPredicate(predicate), known, registry.vocabulary),
    };
  }

  /** How much a difference in a key of environment or workload matters, by key. */
  async tiers(): Promise<ReadonlyMap<string, DifferenceTier>> {
    return (await this.registry()).tiers;
  }

  /** How the values of facts are written, so that equal ones are equal. */
  async normalWords(): Promise<NormalWords> {
    return (await this.registry()).words;
  }

  /** How facts of runs are compared. */
  async factRules(): Promise<FactRules> {
    const { tiers, words } = await this.registry();
    return { tiers, words };
  }

  /** The keys of environments and workloads that rules know, by key. */
  async environmentKeys(): Promise<EnvironmentKey[]> {
    return [...(await this.registry()).environmentKeys];
  }

  /** Keys of these facts that no rule uses. */
  async unknownKeys(facts: unknown): Promise<string[]> {
    return [...unknownKeys(factsOf(facts), await this.registry())];
  }

  /** Facts in the words that rules ask for; INVALID_INPUT for a word that a closed list does not have. */
  async inKnownWords(facts: Facts, place: string): Promise<Facts> {
    return inKnownWords(facts, (await this.registry()).values, place);
  }

  /** To be called after content was loaded: keys and their names are read again. */
  forgetRegistry(): void {
    this.registryRead = null;
  }

  private registry(): Promise<Registry> {
    const reading = (this.registryRead ??= readRegistry(this.db));
    // A registry that could not be read is read again
    reading.catch(() => {
      if (this.registryRead === reading) this.registryRead = null;
    });
    return reading;
  }
}

// The same few hundred predicates are asked over and over; checking their shape takes most of the time
const predicates = new Map<string, Predicate>();
const predicatesKept = 5_000;

/** A predicate from its JSON column; null where the item is for all. */
export function toPredicate(json: unknown): Predicate | null {
  if (json === null || json === undefined) return null;
  const text = JSON.stringify(json);
  const known = predicates.get(text);
  if (known) return known;
  if (predicates.size >= predicatesKept) predicates.clear();
  const read = predicateShape.parse(json);
  predicates.set(text, read);
  return read;
}
