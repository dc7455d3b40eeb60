import { Injectable } from '@nestjs/common';
import { detect, type Detection, type FoundValue as FoundValueRead } from '../../domain/applicability/detect.js';
import { commandFor } from '../../domain/applicability/fact-sources.js';
import { factReaders } from '../../domain/applicability/facts/index.js';
import type { KnownFacts } from '../../domain/applicability/facts.js';
import { missingKeys } from '../../domain/applicability/missing-facts.js';
import { nameOfKey } from '../../domain/applicability/reasons.js';
import { machineSummary } from '../../domain/applicability/summary.js';
import { invalidInput } from '../../domain/errors.js';
import type { LocalizedText } from '../../domain/locale.js';
import { redactFacts } from '../../domain/measurement/redact.js';
import type { HardwareProfile as HardwareProfileRow } from '../../generated/prisma/client.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { Database } from '../../platform/database/database.js';
import { factsOf } from '../../platform/database/json.js';
import { PAGE_LIMIT } from '../../platform/graphql/page.js';
import { findRelease, newestReleases, shipped } from './catalog.queries.js';
import { CatalogService, noChecklist } from './catalog.service.js';
import type { ApplicabilityReport, DetectedEnvironment, ItemApplicability, MissingFact } from './detection.types.js';
import { knownOf, RulesService, toApplicability, type Rules } from './rules.service.js';

/** Longest text that is read, in characters: `nvidia-smi -q` of a server with eight GPUs has about 150,000. */
const LONGEST_TEXT = 2_000_000;
/** Most lines: what it takes to read them grows with their number. */
const MOST_LINES = 50_000;

/** Machines as tools describe them, and what of a checklist is for a machine. */
@Injectable()
export class DetectionService {
  constructor(
    private readonly db: Database,
    private readonly catalog: CatalogService,
    private readonly rules: RulesService,
  ) {}

  /** What the output of tools says of a machine; nothing of it is stored. */
  async detect(content: string): Promise<DetectedEnvironment> {
    if (content.length > LONGEST_TEXT) {
      throw invalidInput({
        en: `content has ${content.length} characters; at most ${LONGEST_TEXT} are read`,
        zh: `content 有 ${content.length} 个字符，最多读取 ${LONGEST_TEXT} 个`,
      });
    }
    const lineCount = content.split('\n').length;
    if (lineCount > MOST_LINES) {
      throw invalidInput({
        en: `content has ${lineCount} lines; at most ${MOST_LINES} are read`,
        zh: `content 有 ${lineCount} 行，最多读取 ${MOST_LINES} 行`,
      });
    }
    const rows = await this.db.hardwareProfile.findMany({ orderBy: { order: 'asc' } });
    const detection = detect(
      content,
      factReaders,
      rows.map((row) => ({ ...row, facts: factsOf(row.facts) })),
    );
    const rules = await this.rules.rules();
    const facts = redactFacts(await this.rules.inKnownWords(detection.facts, 'content')).facts;
    const runFacts = redactFacts(await this.rules.inKnownWords(detection.runFacts, 'content')).facts;
    const known = knownOf(detection.profile, facts);
    const releases = await newestReleases(this.db, shipped);
    const answers = await this.answers(
      releases.map(({ id }) => id),
      rules,
      known,
    );
    const gone = detection.found.filter(({ key }) => !(key in facts)).map(({ key }) => [key, null] as const);
    return {
      ...toDetected(detection, rules),
      facts,
      runFacts,
      factChanges: { ...Object.fromEntries(gone), ...facts },
      summary: machineSummary(known),
      missing: missingFacts(answers, known, rules),
    };
  }

  /** What of a checklist applies to a machine, what does not, and why. */
  async report(
    viewer: Viewer,
    of: { readonly checklist: string; readonly version: string | null },
    known: KnownFacts,
  ): Promise<ApplicabilityReport> {
    const release = await findRelease(this.db, await this.catalog.visibleTo(viewer), of.checklist, of.version);
    if (!release) throw noChecklist(of.checklist, of.version);
    const rules = await this.rules.rules();
    const answers = await this.answers([release.id], rules, known);
    const count = (answer: string) => answers.filter(({ applicability }) => applicability.answer === answer).length;
    return {
      releaseId: release.id,
      answers,
      counts: { yes: count('YES'), no: count('NO'), unknown: count('UNKNOWN') },
      missing: missingFacts(answers, known, rules),
    };
  }

  private async answers(
    releaseIds: readonly string[],
    rules: Rules,
    known: KnownFacts,
  ): Promise<readonly ItemApplicability[]> {
    const rows = await this.db.releaseItem.findMany({
      where: { releaseId: { in: [...releaseIds] } },
      select: { id: true, revision: { select: { applicability: true } } },
      orderBy: [{ release: { checklist: { slug: 'asc' } } }, { position: 'asc' }],
    });
    return rows.map(({ id, revision }) => {
      const answer = rules.answer(revision.applicability, known);
      return { releaseItemId: id, applicability: toApplicability(answer), missing: [...answer.missing] };
    });
  }
}

function missingFacts(
  answers: readonly ItemApplicability[],
  known: KnownFacts,
  { registry: { vocabulary } }: Rules,
): MissingFact[] {
  return missingKeys(answers)
    .slice(0, PAGE_LIMIT)
    .map(({ key, itemCount }) => ({ key, itemCount, name: nameOf(key, vocabulary), command: commandFor(key, known) }));
}

const hardware: LocalizedText = { en: 'Hardware', zh: '硬件' };

function nameOf(key: string, vocabulary: Rules['registry']['vocabulary']): LocalizedText {
  return key === 'hardware' ? hardware : nameOfKey(key, vocabulary);
}

type Named = Omit<DetectedEnvironment, 'facts' | 'runFacts' | 'factChanges' | 'summary' | 'missing'>;
type Row = Omit<HardwareProfileRow, 'facts'> & { readonly facts: ReturnType<typeof factsOf> };

function toDetected(detection: Detection<Row>, { registry: { vocabulary } }: Rules): Named {
  return {
    hardware: detection.profile,
    alsoPossible: [...detection.alsoPossible],
    found: detection.found
      .map(({ key, ...found }) => ({ key, name: nameOf(key, vocabulary), ...clean(key, found) }))
      .slice(0, PAGE_LIMIT),
    contradictions: detection.contradictions
      .map(({ key, values }) => ({
        key,
        name: nameOf(key, vocabulary),
        values: values.map((value) => clean(key, value)),
      }))
      .slice(0, PAGE_LIMIT),
    outputs: detection.places.slice(0, PAGE_LIMIT),
    problems: detection.problems.slice(0, PAGE_LIMIT).map(({ line, message }) => ({ line, message })),
    removed: [...detection.removed],
  };
}

/** Readers take facts only; a name that hides in one is taken out all the same. */
function clean(key: string, { value, tool, line }: FoundValueRead) {
  return { value: redactFacts({ [key]: value }).facts[key] ?? null, tool, line };
}
