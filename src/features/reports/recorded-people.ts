import type { BothLanguages } from '../../domain/locale.js';
import { permissions, type Permission } from '../../domain/permissions.js';
import type { RecordedPerson } from '../../domain/report/record-parts.js';
import type { RecordProblem } from '../../domain/report/read-record.js';
import type { Member } from '../projects/people.service.js';

/** Who of a project the people of a record are: by id, else by a name that exactly one member has. */
export class RecordedPeople {
  private readonly unknown = new Map<string, string[]>();

  constructor(
    private readonly members: readonly Member[],
    /** Stands for who made something where nobody else can. */
    private readonly viewerId: string,
  ) {}

  /** The id of the member, or null; whoever is nobody here is a problem at that place. */
  match(person: RecordedPerson | null, place: string, needed: Permission = 'READ_PROJECT'): string | null {
    if (person === null) return null;
    const able = this.members.filter(({ role }) => permissions(role).includes(needed));
    const found = able.find(({ id }) => id === person.id) ?? this.only(able, person.name);
    if (found) return found.id;
    const places = this.unknown.get(person.name);
    if (places) places.push(place);
    else this.unknown.set(person.name, [place]);
    return null;
  }

  /** As `match`, with the viewer in place of nobody: something that is there was made by somebody. */
  maker(person: RecordedPerson, place: string): string {
    return this.match(person, place) ?? this.viewerId;
  }

  /** Whether somebody with this id is a member. */
  has(id: string | null): boolean {
    return this.members.some((member) => member.id === id);
  }

  /** Places at which somebody was nobody here. */
  get places(): ReadonlySet<string> {
    return new Set([...this.unknown.values()].flat());
  }

  get problems(): readonly RecordProblem[] {
    return [...this.unknown].map(([name, places]) => ({
      place: places[0] ?? '',
      message: nobody(name, places.length),
      isBlocking: false,
    }));
  }

  private only(able: readonly Member[], name: string): Member | null {
    const [first, ...others] = able.filter((member) => member.name === name);
    return first && others.length === 0 ? first : null;
  }
}

function nobody(name: string, count: number): BothLanguages {
  return {
    en: `“${name}” is not one person of this project who may do this (${count} places): left empty, and you stand for who made something`,
    zh: `“${name}”无法对应到本项目中有此权限的唯一成员（共 ${count} 处）：留空，创建者则记为您`,
  };
}
