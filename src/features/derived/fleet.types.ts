import { Field, Float, ID, InputType, Int, ObjectType } from '@nestjs/graphql';

@ObjectType({
  description:
    'What the GPUs of a project cost and how much they work: gains are turned into GPU hours and money by it. Nothing is converted between currencies.',
})
export class Fleet {
  projectId!: string;
  @Field(() => Int, { description: 'Send it back with a change: a stale one gets CONFLICT' }) version!: number;
  @Field(() => Float, { nullable: true, description: 'GPUs of the fleet that do this work' }) gpus!: number | null;
  @Field(() => Float, { nullable: true, description: 'Share of the hours in which they are busy with it: 0.6 is 60 %' })
  busyShare!: number | null;
  @Field(() => Float, { nullable: true, description: 'Hours of a month; null for 730.5' }) hoursPerMonth!:
    number | null;
  @Field(() => String, { nullable: true, description: 'The currency of every price, by ISO 4217: USD, EUR, CNY' })
  currency!: string | null;
  @Field(() => Float, { nullable: true, description: 'Price of one GPU for one hour' }) pricePerGpuHour!: number | null;
  @Field(() => Float, { nullable: true, description: 'Price of one kWh' }) pricePerKwh!: number | null;
  @Field(() => Float, {
    nullable: true,
    description: 'Power usage effectiveness: energy of the facility over that of its IT equipment, 1 or more',
  })
  pue!: number | null;
  @Field(() => Float, { nullable: true, description: 'Mean power of one GPU at this work, in W' }) powerPerGpu!:
    number | null;
  @Field(() => Float, { nullable: true, description: 'Price of one engineering hour' }) pricePerEngineeringHour!:
    number | null;
  @Field({ description: 'When it was changed last' }) updatedAt!: Date;
}

@InputType({
  description:
    'Figures for one question, over those that the project has set; absent or null is that of the project. With another currency than that of the project its prices are not known.',
})
export class FleetInput {
  @Field(() => Float, { nullable: true, description: 'GPUs of the fleet that do this work' }) gpus?: number | null;
  @Field(() => Float, { nullable: true, description: 'Share of the hours in which they are busy with it, up to 1' })
  busyShare?: number | null;
  @Field(() => Float, { nullable: true, description: 'Hours of a month; 730.5 where nobody says' }) hoursPerMonth?:
    number | null;
  @Field(() => String, { nullable: true, description: 'The currency of every price, by ISO 4217' }) currency?:
    string | null;
  @Field(() => Float, { nullable: true, description: 'Price of one GPU for one hour' }) pricePerGpuHour?: number | null;
  @Field(() => Float, { nullable: true, description: 'Price of one kWh' }) pricePerKwh?: number | null;
  @Field(() => Float, { nullable: true, description: 'Power usage effectiveness, 1 or more' }) pue?: number | null;
  @Field(() => Float, { nullable: true, description: 'Mean power of one GPU at this work, in W' }) powerPerGpu?:
    number | null;
  @Field(() => Float, { nullable: true, description: 'Price of one engineering hour' }) pricePerEngineeringHour?:
    number | null;
  @Field(() => Float, { nullable: true, description: 'Engineering hours spent on the change, or expected' })
  engineeringHours?: number | null;
}

@InputType({
  description: 'A change of the fleet of a project: absent is left alone, null clears. Needs MANAGE_PROJECT.',
})
export class SetFleetInput {
  @Field(() => ID, { description: 'The project' }) projectId!: string;
  @Field(() => Int, { description: 'The version that the change is based on; 0 where nothing is set yet' })
  version!: number;
  @Field(() => Float, { nullable: true, description: 'GPUs of the fleet that do this work, above 0' }) gpus?:
    number | null;
  @Field(() => Float, { nullable: true, description: 'Share of the hours in which they are busy with it, up to 1' })
  busyShare?: number | null;
  @Field(() => Float, { nullable: true, description: 'Hours of a month, at most 744; null for 730.5' })
  hoursPerMonth?: number | null;
  @Field(() => String, {
    nullable: true,
    description: 'The currency of every price, by ISO 4217; with another one all prices are to be given anew',
  })
  currency?: string | null;
  @Field(() => Float, { nullable: true, description: 'Price of one GPU for one hour' }) pricePerGpuHour?: number | null;
  @Field(() => Float, { nullable: true, description: 'Price of one kWh' }) pricePerKwh?: number | null;
  @Field(() => Float, { nullable: true, description: 'Power usage effectiveness, 1 to 10' }) pue?: number | null;
  @Field(() => Float, { nullable: true, description: 'Mean power of one GPU at this work, in W' }) powerPerGpu?:
    number | null;
  @Field(() => Float, { nullable: true, description: 'Price of one engineering hour' }) pricePerEngineeringHour?:
    number | null;
  @Field(() => String, { nullable: true, description: 'Makes a repeated request harmless' })
  clientMutationId?: string | null;
}
