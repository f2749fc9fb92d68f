"""What all operators of this package share."""

from typing import Any, ClassVar

from presidio_anonymizer.entities import InvalidParamError
from presidio_anonymizer.operators import Operator, OperatorType

from presidio_mx.errors import PresidioMxError
from presidio_mx.replace.keys import Key

Params = dict[str, Any]
_GIVEN_BY_ENGINE = frozenset({"entity_type", "planned"})


class PlannedOperator(Operator):
    """An operator that writes what the document's plan says, or else works alone.

    What is planned for this very mention comes as the parameter ``planned``. Without it
    the result depends on key, scope, entity type and text.
    """

    name: ClassVar[str]
    parameters: ClassVar[frozenset[str]]

    def operate(self, text: str, params: Params | None = None) -> str:
        """Return what stands in the place of a text.

        :param text: The text of the entity.
        :param params: Parameters of the operator, and ``entity_type``.
        :return: The replacement.
        :raises InvalidParamError: If a parameter is wrong, or ``entity_type`` missing.
        """
        given = params or {}
        if "entity_type" not in given:
            # presidio-structured passes none: what is written in a name's place would
            # be what stands for an unknown kind, and nobody would be told.
            raise InvalidParamError(
                f"{self.name}: no entity_type was passed; give it with the other "
                f'parameters: OperatorConfig("{self.name}", '
                '{"entity_type": "PERSON"})'
            )
        planned = given.get("planned")
        if planned is not None:
            return str(planned)
        try:
            return self.alone(text, given)
        except PresidioMxError as error:
            raise InvalidParamError(f"{self.name}: {error}") from None

    def alone(self, text: str, params: Params) -> str:
        """Return the replacement without a plan.

        :param text: The text of the entity.
        :param params: Parameters, ``entity_type`` included.
        :return: The replacement.
        """
        raise NotImplementedError

    def validate(self, params: Params | None = None) -> None:
        """Check the parameters.

        :param params: Parameters of the operator.
        :raises InvalidParamError: Naming the parameter and what is possible.
        """
        for name in params or {}:
            if name not in self.parameters | _GIVEN_BY_ENGINE:
                raise InvalidParamError(
                    f"{self.name}: unknown parameter {name!r}; parameters are "
                    f"{', '.join(sorted(self.parameters))}"
                )
        try:
            self.check(params or {})
        except PresidioMxError as error:
            raise InvalidParamError(f"{self.name}: {error}") from None

    def check(self, params: Params) -> None:
        """Check the values of the parameters.

        :param params: Parameters with known names.
        :raises PresidioMxError: If a value is wrong.
        """
        if params.get("key") is not None:
            Key.from_value(params["key"])
        if not isinstance(params.get("scope", ""), str):
            raise InvalidParamError(f"{self.name}: scope must be text")

    def operator_name(self) -> str:
        """Return the name of the operator."""
        return self.name

    def operator_type(self) -> OperatorType:
        """Return that this operator anonymizes."""
        return OperatorType.Anonymize
