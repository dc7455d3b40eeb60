import type { BothLanguages } from '../../domain/locale.js';
import { permissions, type Permission } from '../../domain/permissions.js';
import type { RecordedPerson } from '../../domain/report/record-parts.js';
import type { RecordProblem } from '../../domain/report/read-record.js';
import type { Member } from '../projects/people.service.js';

/**
 * What becomes of the people of a file: a maintainer restores or moves an audit, and they are the accounts that they have
 * here. Anybody else stands for whoever did something: a file is the word of that person.
 */
export type Standing = 'RESTORES' | 'STANDS_FOR_ALL';

/** Who of a project the people of a record are: by id, else by a name that exactly one member has. */
export class RecordedPeople {
  private readonly unknown = new Map<string, string[]>();
  private readonly stoodFor = new Map<string, string[]>();

  constructor(
    private readonly members: readonly Member[],
    private readonly viewerId: string,
    readonly standing: Standing,
    /** Those that have a service token for the project: they made runs and trials, and are nobody for anything else. */
    private readonly machines: ReadonlySet<string>,
  ) {}

  /** The id of the member, or null; whoever is nobody here is a problem at that place. */
  match(person: RecordedPerson | null, place: string, needed: Permission = 'READ_PROJECT'): string | null {
    if (person === null) return null;
    const found = this.idOf(person, needed);
    if (found === null) noted(this.unknown, person.name, place);
    return found;
  }

  /** Who made something that is there: nobody else can stand for it. */
  maker(person: RecordedPerson, place: string): string {
    if (this.standing === 'STANDS_FOR_ALL') return this.standIn(person, place);
    return this.machines.has(person.id) ? person.id : (this.match(person, place) ?? this.viewerId);
  }

  /** Who did something of which nobody need be known. */
  actor(person: RecordedPerson | null, place: string): string | null {
    if (this.standing === 'RESTORES') return this.match(person, place);
    return person && this.standIn(person, place);
  }

  /** Who said or submitted what is there: whoever imports it is an author, also where the file names nobody. */
  author(person: RecordedPerson | null, place: string): string | null {
    if (this.standing === 'RESTORES') return this.match(person, place);
    return this.standIn(person ?? { id: '', name: '' }, place);
  }

  /** The id of the member that somebody is, or null. */
  idOf(person: RecordedPerson, needed: Permission = 'READ_PROJECT'): string | null {
    const able = this.members.filter(({ role }) => permissions(role).includes(needed));
    return (able.find(({ id }) => id === person.id) ?? this.only(able, person.name))?.id ?? null;
  }

  /** Who gave something that is kept beside the rest, by id alone; null where nobody did. */
  giver(id: string | null): string | null {
    if (id === null) return null;
    if (this.standing === 'STANDS_FOR_ALL') return this.viewerId;
    return this.members.some((member) => member.id === id) ? id : null;
  }

  /** Places at which somebody was nobody here, or is stood for. */
  get places(): ReadonlySet<string> {
    return new Set([...this.unknown.values(), ...this.stoodFor.values()].flat());
  }

  get problems(): readonly RecordProblem[] {
    const said = (places: ReadonlyMap<string, readonly string[]>, text: typeof nobody): RecordProblem[] =>
      [...places].map(([name, [place = '', ...others]]) => ({
        place,
        message: text(name, others.length + 1),
        isBlocking: false,
      }));
    return [...said(this.unknown, nobody), ...said(this.stoodFor, stoodFor)];
  }

  private standIn(person: RecordedPerson, place: string): string {
    if (this.idOf(person) !== this.viewerId) noted(this.stoodFor, person.name, place);
    return this.viewerId;
  }

  private only(able: readonly Member[], name: string): Member | null {
    const [first, ...others] = able.filter((member) => member.name === name);
    return first && others.length === 0 ? first : null;
  }
}

function noted(places: Map<string, string[]>, name: string, place: string): void {
  const known = places.get(name);
  if (known) known.push(place);
  else places.set(name, [place]);
}

function nobody(name: string, count: number): BothLanguages {
  return {
    en: `“${name}” is not one person of this project who may do this (${count} places): left empty, and you stand for who made something`,
    zh: `“${name}”无法对应到本项目中有此权限的唯一成员（共 ${count} 处）：留空，创建者则记为您`,
  };
}

function stoodFor(name: string, count: number): BothLanguages {
  const [en, zh] = name === '' ? ['Whoever is not named', '未署名者'] : [`“${name}”`, `“${name}”`];
  return {
    en: `${en} is you in this project (${count} places): only a maintainer imports the work of others under their accounts`,
    zh: `${zh}在本项目中记为您（共 ${count} 处）：只有维护者才能以他人的账号导入其工作`,
  };
}
