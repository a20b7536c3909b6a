// Questions that people might ask, each with the passage that answers it, in other words or another language than its own. Six
// passages about each subject are to be told apart. For tests.

export interface Question {
  lang: 'en' | 'de' | 'fr';
  question: string;
  /** What is said in English about it. */
  passage: string;
}

const ask = (lang: Question['lang'], question: string, passage: string): Question => ({ lang, question, passage });

export const questionSet: readonly Question[] = [
  // Kitchen
  ask(
    'de',
    'Wie lange muss Hefeteig gehen?',
    'Cover the bowl with a towel and leave it somewhere warm. After about an hour the dough has doubled in size, and when you press it with a finger the dent stays. Now it is ready to be shaped into a loaf.',
  ),
  ask(
    'fr',
    'Pourquoi ma sauce fait des grumeaux ?',
    'If you pour the flour straight into the hot liquid it clumps. Stir it into a little cold water first, or melt butter, whisk the flour into that, and then add the milk bit by bit until it is smooth.',
  ),
  ask(
    'en',
    'How do I keep blades from getting blunt?',
    'Never put your kitchen knives in the dishwasher. Wash them by hand, dry them, and run the edge along the honing steel at a shallow angle before each use. Twice a year give them a proper pass on a whetstone.',
  ),
  ask(
    'de',
    'Obst für den Winter haltbar machen',
    'We cooked the plums with sugar until they fell apart, filled the boiling mass into clean glass jars right up to the rim, and turned them upside down. Closed like that the jam keeps for at least a year in the cellar.',
  ),
  ask(
    'fr',
    'réussir la cuisson d’un steak',
    'Take the meat out of the fridge early. Get the pan really hot, two minutes on each side, and then the important part: let it rest under foil for five minutes, so that the juices do not run out when you cut it.',
  ),
  ask(
    'en',
    'What can replace eggs for people who avoid animal products?',
    'For the pancakes without anything from a hen we mix ground flaxseed with three spoons of water and wait until it turns into a gel. Mashed banana works as well, but you will taste it in the cake.',
  ),
  // Bicycle
  ask(
    'de',
    'Mein Fahrrad bremst bei Regen schlecht',
    'When the pads are worn down to the metal you will not stop in the wet any more. Loosen the cable, pull out the old blocks, and slide in new ones so that they touch the rim and not the tire.',
  ),
  ask(
    'fr',
    'réparer une crevaison',
    'Lever the tire off, pull out the tube and pump it up. Hold it to your ear or under water until you find the hole. Roughen the rubber, put on the glue, wait for it to dry, and then press the patch on.',
  ),
  ask(
    'en',
    'gears slip under load',
    'If the chain jumps whenever you push hard on the pedals, it has probably stretched. Measure it with this gauge. A new one on old sprockets will still skip, so usually you replace the cassette along with it.',
  ),
  ask(
    'de',
    'richtige Höhe des Sattels',
    'Sit down, put your heel on the pedal at its lowest point, and your leg should be just straight. Most beginners sit far too low, and that is why their knees hurt after twenty kilometers.',
  ),
  ask(
    'fr',
    'rouler la nuit en étant visible',
    'The lamp in the front runs from a dynamo in the hub, so it never goes flat. Add a red light at the back with a capacitor that keeps glowing at crossings, and reflective tape on your jacket.',
  ),
  ask(
    'en',
    'protection against thieves',
    'Always fasten the frame and a wheel to something that is fixed in the ground. A cheap cable can be cut in three seconds. This hardened shackle took our angle grinder more than four minutes.',
  ),
  // Space
  ask(
    'de',
    'Wie entsteht ein Schwarzes Loch?',
    'When a very massive star has burned its fuel, nothing holds up the core any more. It collapses in less than a second, the outer layers are blown away, and what remains is so dense that not even light escapes.',
  ),
  ask(
    'fr',
    'pourquoi la Lune nous montre toujours la même face',
    'It turns once around its axis in exactly the time that it needs for one orbit. That is no accident: the tides of the Earth have slowed it down over millions of years until it was locked.',
  ),
  ask(
    'en',
    'Could humans live on the red planet?',
    'The air is a hundred times thinner than ours and almost all carbon dioxide. Settlers would have to live under several meters of soil because of radiation, and every breath of oxygen must be split from ice.',
  ),
  ask(
    'de',
    'Wann sieht man Sternschnuppen?',
    'Every August we pass through the dust that a comet has left behind. Lie on your back after midnight, away from the city, and you can count sixty streaks an hour, all coming from the constellation Perseus.',
  ),
  ask(
    'fr',
    'à quoi sert un télescope dans l’espace',
    'The atmosphere swallows most of the infrared, and it makes every picture shimmer. Above it, with a mirror cooled to minus two hundred and thirty degrees, we see galaxies as they were shortly after the beginning.',
  ),
  ask(
    'en',
    'How do we know the age of the universe?',
    'Distant galaxies move away from us, and the further they are the faster they go. If you run that film backwards everything meets at one point thirteen point eight billion years ago.',
  ),
  // Garden
  ask(
    'de',
    'Tomaten wachsen nur Blätter und keine Früchte',
    'Pinch off the shoots that grow between the stem and the branches, every week. If you leave them, the plant puts all of its strength into green stuff and you will be picking hardly anything in August.',
  ),
  ask(
    'fr',
    'se débarrasser des limaces sans produits chimiques',
    'I go out with a torch at ten in the evening and collect them by hand. A strip of coffee grounds or crushed shells around the lettuce helps too, as they do not like to crawl across anything sharp.',
  ),
  ask(
    'en',
    'turning kitchen waste into soil',
    'Layer peelings and grass clippings with dry leaves and cardboard, keep the heap as damp as a wrung-out sponge, and turn it once a month. By spring you have dark crumbly earth that smells of forest.',
  ),
  ask(
    'de',
    'Wann schneidet man Apfelbäume?',
    'Wait for a dry frost-free day at the end of winter. Take out whatever grows inward or straight up, so that you could throw a hat through the crown. Cut just above a bud that points to the outside.',
  ),
  ask(
    'fr',
    'attirer les abeilles',
    'Leave a corner of the lawn unmown and sow clover, borage and cornflowers. Drill holes of different widths into a block of hard wood and hang it in the sun, and the solitary ones will move in within weeks.',
  ),
  ask(
    'en',
    'growing food without a yard',
    'On our balcony we have potatoes in a sack, beans along the railing and strawberries in a gutter. The trick is a big enough pot and water every single morning, as containers dry out so quickly.',
  ),
  // Computers
  ask(
    'de',
    'Rechner startet nach Update nicht mehr',
    'Keep holding shift while it boots and the menu of the loader appears. Choose the previous kernel there. Once you are in, remove the broken package and generate the initial ramdisk again.',
  ),
  ask(
    'fr',
    'choisir un bon mot de passe',
    'Length beats special characters. Four or five random words are easier to remember and much harder to guess than a short one with a dollar sign. And never use the same one twice: let a manager store them.',
  ),
  ask(
    'en',
    'not losing photos when the disk fails',
    'Three copies, on two kinds of media, one of them somewhere else. Mine go from the laptop to a box in the basement every night, and an encrypted one to my sister’s house. And do try to restore now and then.',
  ),
  ask(
    'de',
    'WLAN ist im Schlafzimmer zu langsam',
    'Concrete walls and the microwave eat the signal. Move the router out of the cupboard to the middle of the flat, choose a channel that the neighbors do not use, or put a second access point in the hall.',
  ),
  ask(
    'fr',
    'reconnaître un courriel frauduleux',
    'Look at the actual address of the sender and hover over the link before you click. The bank never asks for your PIN, and anything that says your account will be closed in an hour wants you to panic.',
  ),
  ask(
    'en',
    'why sorting can be slow',
    'Comparing every item with every other one takes a million steps for a thousand entries. Splitting the list in halves, ordering both and merging them needs only about ten thousand.',
  ),
  // Health
  ask(
    'de',
    'Was hilft beim Einschlafen?',
    'Get up at the same time each day, also on weekends. No screens in the last hour, no coffee after lunch, and keep the bedroom cool. If you lie awake for twenty minutes, leave the bed and read something dull.',
  ),
  ask(
    'fr',
    'mal de dos au bureau',
    'Sitting for eight hours is the problem, not the chair. Stand up every half hour, stretch the hips, and strengthen your belly muscles. The top edge of the monitor belongs at the height of your eyes.',
  ),
  ask(
    'en',
    'someone has stopped breathing, what now?',
    'Call for an ambulance, put the heel of your hand on the middle of the chest, and push down five centimeters, a hundred times a minute. Do not stop until help arrives. You cannot do worse than doing nothing.',
  ),
  ask(
    'de',
    'Wie wirkt eine Impfung?',
    'The body is shown a harmless piece of the virus. It builds antibodies against that and remembers the shape, so when the real one comes the defense starts within hours and not within a week.',
  ),
  ask(
    'fr',
    'commencer la course à pied',
    'Walk one minute and jog one minute, ten times, three days a week. Go so slowly that you can still chat. Your heart adapts faster than your tendons, so most people who get injured simply did too much.',
  ),
  ask(
    'en',
    'sugar hidden in food',
    'Look at the label of this fruit yogurt: five cubes in one small cup. It is called syrup, dextrose or concentrated juice, and it makes your blood level rise fast and drop again, so that you are soon hungry.',
  ),
  // History
  ask(
    'de',
    'Wer baute die Pyramiden?',
    'It was not slaves. We found the village of the workers, with bakeries and breweries, and the graves in which they were buried with honor. Farmers came in gangs while the Nile covered their fields.',
  ),
  ask(
    'fr',
    'la chute du mur de Berlin',
    'At the press conference he read from a note that travel was possible, as far as he knew immediately. Within hours thousands stood at the crossing, and shortly before midnight the guards simply opened the gate.',
  ),
  ask(
    'en',
    'an illness that killed a third of Europe',
    'It came with fleas on the rats of merchant ships in thirteen forty-seven. In four years every third person was dead, so hands were scarce, and those who had survived could ask for better wages.',
  ),
  ask(
    'de',
    'Erfindung des Buchdrucks',
    'He was a goldsmith from Mainz, and his idea was to cast each letter separately from metal, so that they could be put together, inked, and used again. Fifty years later there were millions of books.',
  ),
  ask(
    'fr',
    'les femmes obtiennent le droit de vote',
    'They chained themselves to railings and refused to eat in prison. After the war Parliament could hardly refuse any more, and in nineteen eighteen those above thirty could put their ballots in the box.',
  ),
  ask(
    'en',
    'how sailors found their way across the ocean',
    'Latitude was easy, you measure the height of the sun at noon. For longitude you need to know what time it is at home, and only the clock of a carpenter from Yorkshire was exact enough at sea.',
  ),
  // Music
  ask(
    'de',
    'Gitarre stimmen ohne Gerät',
    'Press the lowest string at the fifth fret, and it gives the note of the next one. Turn the peg until the wobble between both tones gets slower and disappears. Only for the B it is the fourth fret.',
  ),
  ask(
    'fr',
    'vaincre le trac avant un concert',
    'My hands shook so much that I could not hold the bow. What helped was breathing out for longer than in, playing the program for friends first, and accepting that a wrong note does not matter to anyone.',
  ),
  ask(
    'en',
    'why does a violin sound different from a flute?',
    'Both play the same pitch, but on top of it there are overtones, and every instrument mixes them in another way. The body of wood makes some louder. That is what we hear as color.',
  ),
  ask(
    'de',
    'Kinder lernen ein Instrument',
    'Ten minutes a day are better than an hour on Sunday. Let your daughter choose whether she wants drums or a trumpet, sit with her when she practices, and praise the effort and not the talent.',
  ),
  ask(
    'fr',
    'enregistrer sa voix à la maison',
    'Hang blankets behind you, so that the room does not echo. Stay a hand’s breadth away from the microphone, slightly off to the side, with a pop filter in between, and leave enough headroom.',
  ),
  ask(
    'en',
    'The composer who could not hear',
    'He sawed the legs off his piano to feel the vibrations through the floor. At the first performance of the ninth symphony a singer had to turn him around, so that he could see the applause.',
  ),
  // Weather and climate
  ask(
    'de',
    'Wie bildet sich ein Gewitter?',
    'On a hot afternoon moist air shoots upward, ten kilometers within minutes. Ice grains rub against each other in the cloud, the charge separates, and when the tension is high enough, lightning strikes.',
  ),
  ask(
    'fr',
    'montée du niveau de la mer',
    'Half of it is simply warm water that expands, the other half is melting ice on Greenland. A meter until the end of the century sounds harmless, yet two hundred million people live below that line.',
  ),
  ask(
    'en',
    'Why is the sky blue?',
    'Sunlight contains all colors. The molecules of the air scatter the short waves much more than the long ones, so they reach us from every direction. In the evening the path is longer and only red gets through.',
  ),
  ask(
    'de',
    'Strom aus Wind und Sonne speichern',
    'When there is too much of it at noon we pump water up into the lake, and at night it comes down again through the turbines. Batteries cover minutes and hours, and for the winter we will need hydrogen.',
  ),
  ask(
    'fr',
    'que faire pendant une avalanche',
    'Try to get off to the side, and if it takes you, make swimming movements and hold your arms before your face so that there is a hollow to breathe. After a quarter of an hour the chances fall quickly.',
  ),
  ask(
    'en',
    'trees cool a city',
    'Under the planes along this avenue it is twelve degrees less than on the parking lot. The leaves evaporate hundreds of liters a day, and asphalt that lies in the shade does not give off heat at night.',
  ),
  // Money and work
  ask(
    'de',
    'Wie funktioniert Zinseszins?',
    'If you put aside a hundred a month and leave what it earns in there, the earnings earn as well. After thirty years more than half of what you have was never paid in by you. That is why starting early matters.',
  ),
  ask(
    'fr',
    'se préparer à un entretien d’embauche',
    'Read up on the company, and have three stories ready in which you solved a problem. They will ask about your weaknesses. And bring questions of your own, since you are choosing them as well.',
  ),
  ask(
    'en',
    'prices keep going up',
    'If the central bank prints more notes but there is not more bread, each note buys less of it. Raising interest rates makes loans expensive, people spend less, and after a year or so it calms down.',
  ),
  ask(
    'de',
    'Streit im Team lösen',
    'Talk to each of them alone first. Say what you saw and not what you think of it, ask what they need, and only then sit around one table. Mostly it turns out that both were afraid of the same thing.',
  ),
  ask(
    'fr',
    'louer ou acheter son logement',
    'Add up the interest, the taxes, the repairs and what your savings would earn elsewhere, and compare that with what you pay the landlord. If you move on within seven years, owning hardly ever pays.',
  ),
  ask(
    'en',
    'being paid fairly',
    'Find out what others in your position get before you walk in. Name a number that is a little above what you want, say why you are worth it, and then be quiet. Whoever speaks first gives in.',
  ),
];
